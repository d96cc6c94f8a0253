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

/// The squares of one quantum of a channel: their sum and the highest.
struct Power: BitwiseCopyable {
  let sum: Float
  let top: Float

  @_noAllocation @_noLocks
  init(sum: Float, top: Float) {
    self.sum = sum
    self.top = top
  }

  /// The power of silence.
  static var none: Power {
    @_noAllocation @_noLocks
    get { Power(sum: 0, top: 0) }
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
  /// What was measured.
  public private(set) var level = Level()
  private let peakFall: Float
  private let share: Float

  /// Creates a meter at rest.
  public init(rate: SampleRate) {
    let seconds = Float(AudioFormat.quantum) / Float(rate.hertz)
    peakFall = pow(10, -20 * seconds / 1.7 / 20)
    share = 1 - exp(-seconds / 0.3)
  }

  /// Measures one quantum of a signal.
  @_noAllocation @_noLocks
  public mutating func measure(_ samples: UnsafePointer<Float>) {
    unsafe take(SampleLoop.power(of: samples))
  }

  /// Takes what was measured of one quantum.
  @_noAllocation @_noLocks
  mutating func take(_ power: Power) {
    // The root of the highest square is the highest sample, to the last bit.
    let top = SampleMath.root(power.top)
    level.peak = max(top, level.peak * peakFall)
    level.maximum = max(level.maximum, top)
    let square = power.sum / Float(AudioFormat.quantum)
    // What is no number would stay in the mean for ever.
    if square.isFinite { level.meanSquare += (square - level.meanSquare) * share }
    // Both fall for ever; below −300 dB they would become denormal, which costs time.
    if level.peak < 1e-15 { level.peak = 0 }
    if level.meanSquare < 1e-30 { level.meanSquare = 0 }
  }
}
