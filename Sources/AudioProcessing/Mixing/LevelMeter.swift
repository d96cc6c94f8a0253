// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MusicalTime

/// How loud a channel is, as factors of full scale.
public struct Level: Hashable, BitwiseCopyable, Sendable {
  /// The highest sample, falling 20 dB in 1.7 s.
  public var peak: Float = 0
  /// The mean square, over some 300 ms.
  public var meanSquare: Float = 0
  /// The highest sample since the meter was made.
  public var maximum: Float = 0

  /// The root of the mean square.
  public var rms: Float { meanSquare.squareRoot() }

  /// A level of silence.
  public init() {}

  /// A factor in decibels of full scale: 1 is 0, 0.5 is −6.02, 0 is minus infinity.
  public static func decibels(_ factor: Float) -> Float {
    20 * log10(factor)
  }
}

/// The squares of one quantum of a channel: their sum, in the mean where it stands for several, and
/// the highest.
struct Power: BitwiseCopyable {
  let sum: Float
  let top: Float

  @_noAllocation @_noLocks
  init(sum: Float, top: Float) {
    self.sum = sum
    self.top = top
  }
}

/// Measures a channel: peak with a fall, mean square, highest since the start.
///
/// The fall of the peak is that of a programme meter of type I; the mean square is smoothed with
/// a time constant of 300 ms, once a quantum.
///
/// - Note: Real-time safe.
/// Source: IEC 60268-10.
public struct LevelMeter: BitwiseCopyable, Sendable {
  private(set) var squares = LevelSquares()
  private let fall: Float
  private let share: Float

  /// What was measured.
  public var level: Level {
    @_noAllocation @_noLocks
    get { squares.level }
  }

  /// Creates a meter at rest.
  public init(rate: SampleRate) {
    self.init(rate: rate, quantumCount: 1)
  }

  /// Creates a meter that takes what was measured of some quanta at a time.
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

  /// Takes what was measured of one quantum, or of as many as it was made for.
  @_noAllocation @_noLocks
  mutating func take(_ power: Power) {
    squares.peak = max(power.top, squares.peak * fall)
    squares.maximum = max(squares.maximum, power.top)
    let mean = power.sum / Float(AudioFormat.quantum)
    // A NaN would stay in the mean for ever.
    if mean.isFinite { squares.mean += (mean - squares.mean) * share }
    // Both fall for ever; below −300 dB they would become denormal, which costs time.
    if squares.peak < 1e-30 { squares.peak = 0 }
    if squares.mean < 1e-30 { squares.mean = 0 }
  }
}

/// What a meter keeps: roots are for who reads it.
struct LevelSquares: BitwiseCopyable, Sendable {
  /// The square of the peak.
  var peak: Float = 0
  /// The mean of the squares.
  var mean: Float = 0
  /// The square of the highest sample.
  var maximum: Float = 0

  /// The level; the root of the highest square is the highest sample, to the last bit.
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
