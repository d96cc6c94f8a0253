// SPDX-License-Identifier: Apache-2.0

/// Where an output's frames stand in host time, by the pace of its own device.
public struct SampleClock: BitwiseCopyable, Sendable {
  /// The host time at which each frame leaves the output's buffer.
  public let timeline: Timeline<SampleTime, HostTime>
  /// Nanoseconds from leaving the buffer until a frame is heard: what the device holds besides.
  public let delay: Int64
  /// The device's rate against its nominal one, in parts per million; nil while too little has
  /// been heard to tell it from jitter, some seconds.
  public let drift: Double?
  /// How far the device's own times scatter about the line: a standard deviation, in nanoseconds.
  public let jitter: Double
  /// How many times the line was begun anew: at the start, after an xrun, after a step.
  public let epoch: UInt32

  /// Creates what a device says that filters its times itself.
  ///
  /// - Note: Real-time safe.
  public init(
    timeline: Timeline<SampleTime, HostTime>, delay: Int64, drift: Double?, jitter: Double,
    epoch: UInt32
  ) {
    (self.timeline, self.delay, self.drift) = (timeline, delay, drift)
    (self.jitter, self.epoch) = (jitter, epoch)
  }

  /// Reads a follower; nil before its first pair.
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
