// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

/// Where a font has a sample, and where it lies among all samples.
///
/// Source: SoundFont 2.04, section 7.10.
struct FontSample {
  /// The font's number among the layers.
  let layer: Int
  /// What of the font's sample data it is: frames, of a compressed one bytes.
  let stored: Range<Int>
  let isCompressed: Bool
  /// Its frames, the silent ones behind it included.
  let frameCount: Int
  /// Its own frames, without the silence.
  let soundCount: Int
  /// The loop, counted from its first frame, within its own frames.
  let loop: Range<Int>
  /// The frames by which the font has the loop end behind the sample, 0…65 535.
  ///
  /// A zone's offset to the loop end is added to the loop end given in the font, before it is cut.
  let loopExcess: Int
  /// Frames a second.
  let rate: Int
  let key: UInt8
  let correction: Int8
  /// The place of its first frame among all samples.
  var start = 0

  /// The frames of silence that the standard has behind each sample.
  private static let silence = 46

  /// Whether a sample can be heard by what its header says: not where it is in ROM, compressed in a
  /// way that is not known, or not within the font.
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

  /// Reads a usable sample's header; nil where it has no frames.
  ///
  /// - Parameters:
  ///   - font: the font.
  ///   - index: the sample's number in it.
  ///   - layer: the font's number among the layers.
  ///   - count: gives the frames of a compressed sample by its bytes.
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
      // One frame behind the sample data is played, as silence.
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
    // 255 stands for a sound without a pitch, and 128…254 for nothing.
    let key = headers.byte(index * 46 + 40)
    self.key = key < 128 ? UInt8(key) : Self.middleC
    correction = Int8(truncatingIfNeeded: headers.byte(index * 46 + 41))
  }

  /// The key of a sample that has none.
  ///
  /// Source: SoundFont 2.04, section 7.10.
  private static let middleC: UInt8 = 60

  /// A loop within a sample's own frames: turned round if its end is before its start, and from the
  /// sample's start or to its end if one of its own lies outside.
  private static func mended(_ loop: (Int, Int), _ soundCount: Int) -> Range<Int> {
    // What lies before the sample is, without a sign, far behind it.
    let ends = [loop.0, loop.1].map { $0 < 0 ? Int.max : $0 }.sorted()
    let start = ends[0] > soundCount ? 0 : ends[0]
    return start..<(ends[1] > soundCount ? soundCount : ends[1])
  }

  /// How far a loop that begins in a sample ends behind it; 0 where that is too far to be meant.
  private static func excess(_ loop: (Int, Int), _ soundCount: Int) -> Int {
    guard (0...soundCount).contains(loop.0), loop.1 > soundCount else { return 0 }
    return loop.1 - soundCount <= Int(UInt16.max) ? loop.1 - soundCount : 0
  }
}
