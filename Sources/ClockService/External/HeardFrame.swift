// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A frame of linear timecode as it was heard: what it says, and when.
public struct HeardFrame: Hashable, BitwiseCopyable, Sendable {
  /// The frame, counted from 00:00:00:00.
  public let frame: Int64
  /// How labels count.
  public let code: MTCCode
  /// When its sound began.
  public let start: HostTime
  /// How long its sound was, in nanoseconds; above zero.
  public let length: Int64
  /// Whether labels go backwards: its sound then began with the picture's end.
  public let isReversed: Bool

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame, counted from 00:00:00:00.
  ///   - code: How labels count.
  ///   - start: When its sound began.
  ///   - end: When its sound ended; of one that is not later, a nanosecond is made.
  ///   - isReversed: Whether labels go backwards.
  public init(
    frame: Int64, code: MTCCode, from start: HostTime, to end: HostTime, isReversed: Bool = false
  ) {
    (self.frame, self.code, self.start, self.isReversed) = (frame, code, start, isReversed)
    length = max(1, end.nanoseconds(since: start))
  }

  /// When a quarter frame is, by this frame alone.
  func time(ofQuarterFrame count: Int64) -> HostTime {
    let distance = isReversed ? 4 * frame + 4 - count : count - 4 * frame
    return start.advanced(saturating: Int64(clamping: Int128(distance) * Int128(length) / 4))
  }

  /// The quarter frame after the one under way at an instant, in the order in which they come.
  func nextQuarterFrame(at time: HostTime) -> Int64 {
    let passed = Int128(time.nanoseconds(since: start))
    let distance = 4 * passed / Int128(length) + 1
    let first = 4 * Int128(frame)
    return Int64(clamping: isReversed ? first + 4 - distance : first + distance)
  }
}
