// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// One received frame of linear time code, with the time at which it was received.
public struct HeardFrame: Hashable, BitwiseCopyable, Sendable {
  /// The frame number, counted from 00:00:00:00.
  public let frame: Int64
  /// The MIDI time code number of the frame rate.
  public let code: MTCCode
  /// The host time at which the sound of the frame began.
  public let start: HostTime
  /// The duration of the frame's sound in nanoseconds; above zero.
  public let length: Int64
  /// True if the time code runs backwards.
  ///
  /// The sound then begins at the end of the frame.
  public let isReversed: Bool

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame number, counted from 00:00:00:00.
  ///   - code: The MIDI time code number of the frame rate.
  ///   - start: The host time at which the sound of the frame began.
  ///   - end: The host time at which the sound of the frame ended. If it is not after `start`, the
  ///     length is one nanosecond.
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
