// SPDX-License-Identifier: Apache-2.0
internal import CoreMedia

extension CMTime {
  /// The nearest frame at a sample rate; nil for a time that is not a number.
  func frame(at hertz: Int) -> Int64? {
    guard isNumeric, timescale > 0 else { return nil }
    let doubled = Int128(value) * Int128(hertz) * 2 + (value < 0 ? -1 : 1) * Int128(timescale)
    return Int64(clamping: doubled / (2 * Int128(timescale)))
  }
}

extension CMTimeRange {
  /// The nearest frames at a sample rate, of those that a sound has.
  ///
  /// An infinite or unknown end is that of the sound.
  func frames(at hertz: Int, of count: Int64) -> Range<Int64> {
    let first = min(max(0, start.frame(at: hertz) ?? 0), count)
    let last = CMTimeRangeGetEnd(self).frame(at: hertz) ?? count
    return first..<min(max(first, last), count)
  }
}
