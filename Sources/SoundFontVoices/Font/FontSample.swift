// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

/// A sample of a font, and its position among all samples.
///
/// Source: SoundFont 2.04, section 7.10.
struct FontSample {
  /// The index of the font among the layers.
  let layer: Int
  /// The range in the font's sample data: in frames, or in bytes for a compressed sample.
  let stored: Range<Int>
  let isCompressed: Bool
  /// The number of frames, including the silent ones after the sample.
  let frameCount: Int
  /// The number of frames without the silence.
  let soundCount: Int
  /// The loop, counted from the sample's first frame, within the sample.
  let loop: Range<Int>
  /// The number of frames by which the font's loop ends after the sample, 0…65 535.
  ///
  /// A zone's offset is added to the original loop end, before the loop is limited.
  let loopExcess: Int
  /// The sample rate, in hertz.
  let rate: Int
  let key: UInt8
  let correction: Int8
  /// The position of the first frame among all samples.
  var start = 0

  /// The number of silent frames that the standard requires after each sample.
  private static let silence = 46

  /// True if the sample can be played according to its header: it is not in ROM, its compression is
  /// known, and it is within the font.
  static func isUsable(_ font: SoundFontTables, _ index: Int) -> Bool {
    let headers = font.hydra.sampleHeaders
    guard index < headers.count - 1 else { return false }
    let kind = headers.word(index, at: 44)
    let (start, end) = (headers.long(index, at: 20), headers.long(index, at: 24))
    // Mono, right, left, linked, compressed.
    guard kind & ~0x1F == 0, start < end - 1, headers.long(index, at: 36) > 0 else { return false }
    if kind & 0x10 != 0 { return end - 1 <= font.sampleData.count }
    return font.sampleData.count % 2 == 0 && end - 1 <= font.sampleData.count / 2
  }

  /// Reads the header of a usable sample; nil if the sample is empty.
  ///
  /// - Parameters:
  ///   - font: the font.
  ///   - index: the index of the sample in the font.
  ///   - layer: the index of the font among the layers.
  ///   - count: returns the number of frames of a compressed sample for its range of bytes.
  init?(
    _ font: SoundFontTables, _ index: Int, layer: Int, counting count: (Range<Int>) -> Int
  ) {
    let headers = font.hydra.sampleHeaders
    isCompressed = headers.word(index, at: 44) & 0x10 != 0
    let (start, end) = (headers.long(index, at: 20), headers.long(index, at: 24))
    var loop = (headers.long(index, at: 28), headers.long(index, at: 32))
    if isCompressed {
      stored = start..<min(end, font.sampleData.count)
      frameCount = count(stored)
      soundCount = frameCount
    } else {
      let limit = font.sampleData.count / 2
      // One frame after the sample data is played as silence.
      frameCount = min(end + Self.silence, limit + 1) - start
      soundCount = end - start
      stored = start..<min(start + frameCount, limit)
      loop = (loop.0 - start, loop.1 - start)
    }
    guard frameCount > 0 else { return nil }
    self.loop = Self.mended(loop, soundCount)
    loopExcess = Self.excess(loop, soundCount)
    self.layer = layer
    rate = headers.long(index, at: 36)
    // 255 means an unpitched sound; 128…254 are not defined.
    let key = headers.byte(index * 46 + 40)
    self.key = key < 128 ? UInt8(key) : Self.middleC
    correction = Int8(truncatingIfNeeded: headers.byte(index * 46 + 41))
  }

  /// The key of a sample without a valid key.
  ///
  /// Source: SoundFont 2.04, section 7.10.
  private static let middleC: UInt8 = 60

  /// A loop within the sample.
  ///
  /// If its end precedes its start, they are swapped. A start or end outside the sample becomes the
  /// sample's start or end.
  private static func mended(_ loop: (Int, Int), _ soundCount: Int) -> Range<Int> {
    // A position before the sample is, as an unsigned number, far after it.
    let ends = [loop.0, loop.1].map { $0 < 0 ? Int.max : $0 }.sorted()
    let start = ends[0] > soundCount ? 0 : ends[0]
    return start..<(ends[1] > soundCount ? soundCount : ends[1])
  }

  /// The distance by which a loop that starts in the sample ends after it; 0 if it is too far to be
  /// intended.
  private static func excess(_ loop: (Int, Int), _ soundCount: Int) -> Int {
    guard (0...soundCount).contains(loop.0), loop.1 > soundCount else { return 0 }
    return loop.1 - soundCount <= Int(UInt16.max) ? loop.1 - soundCount : 0
  }
}
