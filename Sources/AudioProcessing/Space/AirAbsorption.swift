// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The absorption of high frequencies in air: a factor of 0.994 for each metre at 5000 Hz.
///
/// It is a one-pole filter: y approaches x by 1 − `pole` each frame.
///
/// - Note: Real-time safe.
/// Source: Effects Extension Guide (OpenAL), AL_AIR_ABSORPTION_FACTOR.
struct AirAbsorption: BitwiseCopyable {
  private var pole: Float = 0
  private var held: Float = 0

  /// Computes the pole for the absorption at 5000 Hz.
  ///
  /// - Parameters:
  ///   - metres: the distance.
  ///   - amount: the absorption relative to air; 1 is air.
  ///   - rate: the sample rate.
  /// - Returns: a value from 0, which does not filter, to below 1.
  @_noAllocation @_noLocks
  static func pole(metres: Float, amount: Float, rate: SampleRate) -> Float {
    let factor = SampleMath.power(0.994, Double(metres) * Double(amount))
    let square = max(1e-4, factor * factor)
    guard square < 0.9999 else { return 0 }
    let cosine = SampleMath.cosine(min(.pi, 2 * .pi * 5000 / Double(rate.hertz)))
    // The root below 1 of (1 − a)² / (1 + a² − 2a · cosine) = square.
    let half = 1 - square * cosine
    let rest = 1 - square
    return Float((half - SampleMath.root(max(0, half * half - rest * rest))) / rest)
  }

  /// Filters a quantum, while the pole moves linearly to a new value.
  @_noAllocation @_noLocks
  mutating func filter(
    _ input: UnsafePointer<Float>, towards aim: Float, into output: UnsafeMutablePointer<Float>
  ) {
    let step = (aim - pole) / Float(AudioFormat.quantum)
    for frame in 0..<AudioFormat.quantum {
      let share = pole + step * Float(frame &+ 1)
      held = unsafe input[frame] + share * (held - input[frame])
      unsafe output[frame] = held
    }
    pole = aim
  }

  /// True if the filter passes sound unchanged.
  var isClear: Bool {
    @_noAllocation @_noLocks
    get { pole == 0 }
  }

  /// Sets the pole, and clears the filter's state.
  @_noAllocation @_noLocks
  mutating func settle(_ pole: Float) {
    self.pole = pole
    held = 0
  }
}
