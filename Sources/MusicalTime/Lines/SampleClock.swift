// SPDX-License-Identifier: Apache-2.0

/// The relation of an output's frames to host time, as measured on the sound device.
public struct SampleClock: BitwiseCopyable, Sendable {
  /// The host time at which each frame leaves the output's buffer.
  public let timeline: Timeline<SampleTime, HostTime>
  /// The time in nanoseconds from when a frame leaves the buffer until it is audible.
  public let delay: Int64
  /// The difference of the actual sample rate from the nominal one, in parts per million, positive
  /// if the device is fast.
  ///
  /// It is nil in the first seconds, until it can be distinguished from jitter.
  public let drift: Double?
  /// The jitter of the device's times: their standard deviation from `timeline`, in nanoseconds.
  public let jitter: Double
  /// The number of times that `timeline` was started: at first, and after each xrun or jump of the
  /// times.
  public let epoch: UInt32

  /// Creates a clock from the values of a device that filters its times itself.
  ///
  /// - Note: Real-time safe.
  public init(
    timeline: Timeline<SampleTime, HostTime>, delay: Int64, drift: Double?, jitter: Double,
    epoch: UInt32
  ) {
    (self.timeline, self.delay, self.drift) = (timeline, delay, drift)
    (self.jitter, self.epoch) = (jitter, epoch)
  }

  /// Creates a clock from a follower, or returns nil if the follower does not have a measurement
  /// yet.
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
