// SPDX-License-Identifier: Apache-2.0

/// A part of sample data that samples need, in bytes: frames with the silence after them, or
/// streams.
struct SamplePart {
  /// The first byte.
  var start: Int
  /// The end of the part; for frames it can be up to 94 bytes after the end of the data.
  var end: Int
  /// True if it contains 16-bit frames, false if it contains only compressed streams.
  var hasFrames: Bool

  /// The part of a sample; nil if the sample is empty, in ROM, or not within its data.
  ///
  /// As in Downbeat's voices, a sample can end one frame after its data.
  init?(_ sample: SoundFontDocument.Sample) {
    let count = sample.data.bytes.count
    let limit = sample.isCompressed ? count : count / 2
    guard !sample.isInROM, 0 <= sample.start, sample.start < sample.end, sample.start <= limit,
      sample.end - 1 <= limit
    else { return nil }
    hasFrames = !sample.isCompressed
    start = sample.isCompressed ? sample.start : 2 * sample.start
    end = sample.isCompressed ? min(sample.end, limit) : 2 * (sample.end + SampleLayout.silence)
  }

  /// The parts in the order of their bytes, with overlapping ones merged.
  static func merged(_ parts: [Self]) -> [Self] {
    var merged: [Self] = []
    for part in parts.sorted(by: { $0.start < $1.start }) {
      if let last = merged.last, part.start < last.end {
        merged[merged.count - 1].end = max(last.end, part.end)
        merged[merged.count - 1].hasFrames = last.hasFrames || part.hasFrames
      } else {
        merged.append(part)
      }
    }
    return merged
  }

  /// The last of sorted parts that starts at or before a byte.
  static func last(of parts: [Self], startingBy place: Int) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= place { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
