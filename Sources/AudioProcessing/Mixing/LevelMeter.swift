// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MusicalTime

/// The level of a channel; 1 is full scale.
public struct Level: Hashable, BitwiseCopyable, Sendable {
  /// The peak as a factor of full scale.
  ///
  /// After a peak, the value falls by 20 dB in 1.7 s.
  public var peak: Float = 0
  /// The mean of the squared samples, with a time constant of 300 ms.
  public var meanSquare: Float = 0
  /// The highest absolute sample since the meter was created, as a factor of full scale.
  public var maximum: Float = 0

  /// The root mean square, as a factor of full scale.
  public var rms: Float { meanSquare.squareRoot() }

  /// Creates the level of silence.
  public init() {}

  /// Converts a factor to dBFS: 1 is 0 dBFS, 0.5 is −6.02 dBFS, and 0 is minus infinity.
  public static func decibels(_ factor: Float) -> Float {
    20 * log10(factor)
  }
}

/// The squares of one quantum of a channel, or the mean of several quanta: the sum, and the highest
/// square.
struct Power: BitwiseCopyable {
  let sum: Float
  let top: Float

  @_noAllocation @_noLocks
  init(sum: Float, top: Float) {
    self.sum = sum
    self.top = top
  }
}

/// Measures the level of one channel: the falling peak, the mean square and the maximum.
///
/// The peak falls like that of a programme meter of type I. The mean square is smoothed with a time
/// constant of 300 ms, once per quantum.
///
/// - Note: Real-time safe. Source: IEC 60268-10.
public struct LevelMeter: BitwiseCopyable, Sendable {
  private(set) var squares = LevelSquares()
  private let fall: Float
  private let share: Float

  /// The measured level.
  public var level: Level {
    @_noAllocation @_noLocks
    get { squares.level }
  }

  /// Creates a meter that shows silence.
  public init(rate: SampleRate) {
    self.init(rate: rate, quantumCount: 1)
  }

  /// Creates a meter for measurements of several quanta.
  init(rate: SampleRate, quantumCount: Int) {
    let seconds = Float(quantumCount * AudioFormat.quantum) / Float(rate.hertz)
    fall = pow(10, -20 * seconds / 1.7 / 10)
    share = 1 - exp(-seconds / 0.3)
  }

  /// Measures one quantum of a signal.
  @_noAllocation @_noLocks
  public mutating func measure(_ samples: UnsafePointer<Float>) {
    unsafe take(SampleLoop.power(of: samples))
  }

  /// Updates the meter with the measurement of one quantum, or of as many as it was created for.
  @_noAllocation @_noLocks
  mutating func take(_ power: Power) {
    squares.peak = max(power.top, squares.peak * fall)
    squares.maximum = max(squares.maximum, power.top)
    let mean = power.sum / Float(AudioFormat.quantum)
    // Without this, NaN would remain in the mean forever.
    if mean.isFinite { squares.mean += (mean - squares.mean) * share }
    // Both values fall forever. Below −300 dB they would become denormal, which is slow.
    if squares.peak < 1e-30 { squares.peak = 0 }
    if squares.mean < 1e-30 { squares.mean = 0 }
  }
}

/// The state of a meter; the square roots are computed by the reader.
struct LevelSquares: BitwiseCopyable, Sendable {
  /// The square of the peak.
  var peak: Float = 0
  /// The mean of the squares.
  var mean: Float = 0
  /// The square of the highest sample.
  var maximum: Float = 0

  /// The level.
  ///
  /// The root of the highest square is exactly the highest sample.
  var level: Level {
    @_noAllocation @_noLocks
    get {
      var level = Level()
      level.peak = SampleMath.root(peak)
      level.meanSquare = mean
      level.maximum = SampleMath.root(maximum)
      return level
    }
  }
}
