// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The progress of an operation on sound.
public struct SoundProgress: Hashable, Sendable {
  /// The completed fraction, 0…1; an estimate if the length of the sound is estimated.
  public let fraction: Double
  /// The number of output frames that are complete.
  public let frames: SampleTime
  /// The sample rate of the output.
  public let rate: SampleRate
  /// The time since the start.
  public let elapsed: Duration

  /// Creates a progress value.
  ///
  /// - Parameters:
  ///   - fraction: The completed fraction; clamped to 0…1, NaN becomes 0.
  ///   - frames: The number of output frames that are complete.
  ///   - rate: The sample rate of the output.
  ///   - elapsed: The time since the start.
  public init(fraction: Double, frames: SampleTime, rate: SampleRate, elapsed: Duration) {
    self.fraction = fraction > 0 ? min(fraction, 1) : 0
    self.frames = frames
    self.rate = rate
    self.elapsed = elapsed
  }

  /// The speed as a factor: the duration of the completed sound divided by the elapsed time; nil
  /// until a frame is complete.
  public var speed: Double? {
    let seconds = elapsed / .seconds(1)
    guard frames.frames > 0, seconds > 0 else { return nil }
    return Double(frames.frames) / Double(rate.hertz) / seconds
  }

  /// The estimated remaining time in seconds, from the speed since the start; nil until it can be
  /// estimated.
  public var secondsLeft: Double? {
    guard fraction > 0 else { return nil }
    return elapsed / .seconds(1) / fraction * (1 - fraction)
  }
}
