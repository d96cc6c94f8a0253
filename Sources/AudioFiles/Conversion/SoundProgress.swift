// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// How far a piece of work on sound is.
public struct SoundProgress: Hashable, Sendable {
  /// How much is done, 0…1; an estimate where a length is one.
  public let fraction: Double
  /// The frames that are done, of what is made.
  public let frames: SampleTime
  /// Frames a second.
  public let rate: SampleRate
  /// What it has taken so far.
  public let elapsed: Duration

  /// Describes a place in a piece of work.
  ///
  /// - Parameters:
  ///   - fraction: how much is done; held within 0…1.
  ///   - frames: the frames that are done.
  ///   - rate: frames a second.
  ///   - elapsed: what it has taken so far.
  public init(fraction: Double, frames: SampleTime, rate: SampleRate, elapsed: Duration) {
    self.fraction = fraction > 0 ? min(fraction, 1) : 0
    self.frames = frames
    self.rate = rate
    self.elapsed = elapsed
  }

  /// How many times faster than the sound lasts it has gone so far; nil before anything is done.
  public var speed: Double? {
    let seconds = elapsed / .seconds(1)
    guard frames.frames > 0, seconds > 0 else { return nil }
    return Double(frames.frames) / Double(rate.hertz) / seconds
  }

  /// What is left at the pace so far, in seconds; nil before anything is done.
  public var secondsLeft: Double? {
    guard fraction > 0 else { return nil }
    return elapsed / .seconds(1) / fraction * (1 - fraction)
  }
}
