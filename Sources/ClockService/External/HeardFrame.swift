// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A received frame of linear time code, with its time.
public struct HeardFrame: Hashable, BitwiseCopyable, Sendable {
  /// The number of the frame from 00:00:00:00.
  public let frame: Int64
  /// The code of the frame rate.
  public let code: MTCCode
  /// The host time at which its sound began.
  public let start: HostTime
  /// The length of its sound in nanoseconds; above zero.
  public let length: Int64
  /// True if the time code runs backwards, so that the sound begins at the frame's end.
  public let isReversed: Bool

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - frame: The number of the frame from 00:00:00:00.
  ///   - code: The code of the frame rate.
  ///   - start: The host time at which its sound began.
  ///   - end: The host time at which its sound ended; the length is at least one nanosecond.
  ///   - isReversed: True if the time code runs backwards; false by default.
  public init(
    frame: Int64, code: MTCCode, from start: HostTime, to end: HostTime, isReversed: Bool = false
  ) {
    (self.frame, self.code, self.start, self.isReversed) = (frame, code, start, isReversed)
    length = max(1, end.nanoseconds(since: start))
  }

  /// The time of a quarter frame, calculated from this frame only.
  func time(ofQuarterFrame count: Int64) -> HostTime {
    let distance = isReversed ? 4 * frame + 4 - count : count - 4 * frame
    return start.advanced(saturating: Int64(clamping: Int128(distance) * Int128(length) / 4))
  }

  /// The quarter frame after the current one at an instant, in the direction of the time code.
  func nextQuarterFrame(at time: HostTime) -> Int64 {
    let passed = Int128(time.nanoseconds(since: start))
    let distance = 4 * passed / Int128(length) + 1
    let first = 4 * Int128(frame)
    return Int64(clamping: isReversed ? first + 4 - distance : first + distance)
  }
}
