// SPDX-License-Identifier: Apache-2.0

/// The relation of an output's frames to host time, as measured on its device.
public struct SampleClock: BitwiseCopyable, Sendable {
  /// The host time at which each frame leaves the output's buffer.
  public let timeline: Timeline<SampleTime, HostTime>
  /// Nanoseconds from the time at which a frame leaves the buffer until it is audible.
  public let delay: Int64
  /// The actual rate relative to the nominal one, in parts per million; nil for the first seconds,
  /// until it can be distinguished from jitter.
  public let drift: Double?
  /// The standard deviation of the device's times from the line, in nanoseconds.
  public let jitter: Double
  /// The number of starts of the line: the first one, and one after each xrun or step.
  public let epoch: UInt32

  /// Creates a clock from the values of a device that filters its times.
  ///
  /// - Note: Real-time safe.
  public init(
    timeline: Timeline<SampleTime, HostTime>, delay: Int64, drift: Double?, jitter: Double,
    epoch: UInt32
  ) {
    (self.timeline, self.delay, self.drift) = (timeline, delay, drift)
    (self.jitter, self.epoch) = (jitter, epoch)
  }

  /// Creates a clock from a follower, or returns nil before the follower's first pair.
  ///
  /// - Note: Real-time safe.
  public init?(_ follower: PeriodFollower, delay: Int64) {
    guard let timeline = follower.timeline else { return nil }
    self.timeline = timeline
    self.delay = delay
    drift = follower.isSettled ? follower.drift : nil
    jitter = follower.jitter
    epoch = follower.epoch
  }
}
