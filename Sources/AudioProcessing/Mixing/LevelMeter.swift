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

/// Measures a channel: peak with a fall, mean square, highest since the start.
///
/// The fall of the peak is that of a programme meter of type I; the mean square is smoothed with
/// a time constant of 300 ms, once a quantum.
///
/// - Note: Real-time safe.
/// Source: IEC 60268-10.
public struct LevelMeter: BitwiseCopyable, Sendable {
  private var peak: Float = 0
  private var meanSquare: Float = 0
  private var maximum: Float = 0
  private let peakFall: Float
  private let share: Float

  /// Creates a meter at rest.
  public init(rate: SampleRate) {
    let seconds = Float(AudioFormat.quantum) / Float(rate.hertz)
    peakFall = pow(10, -20 * seconds / 1.7 / 20)
    share = 1 - exp(-seconds / 0.3)
  }

  /// Measures one quantum of a signal, times a gain.
  @_noAllocation @_noLocks
  public mutating func measure(_ samples: UnsafePointer<Float>, times gain: Float = 1) {
    var highest = SIMD8<Float>.zero
    var sum = SIMD8<Float>.zero
    unsafe samples.withMemoryRebound(to: SIMD8<Float>.self, capacity: AudioFormat.quantum / 8) {
      for lane in 0..<AudioFormat.quantum / 8 {
        let samples = unsafe $0[lane]
        highest = pointwiseMax(highest, pointwiseMax(samples, -samples))
        sum += samples * samples
      }
    }
    let top = highest.max() * abs(gain)
    peak = max(top, peak * peakFall)
    maximum = max(maximum, top)
    let square = sum.sum() * gain * gain / Float(AudioFormat.quantum)
    // What is no number would stay in the mean for ever.
    if square.isFinite { meanSquare += (square - meanSquare) * share }
    // Both fall for ever; below −300 dB they would become denormal, which costs time.
    if peak < 1e-15 { peak = 0 }
    if meanSquare < 1e-30 { meanSquare = 0 }
  }

  /// What was measured.
  public var level: Level {
    @_noAllocation @_noLocks
    get {
      var level = Level()
      level.peak = peak
      level.meanSquare = meanSquare
      level.maximum = maximum
      return level
    }
  }
}
