// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What air takes away of the treble: 0.994 times as much is left at 5000 Hz after each metre.
///
/// A filter of one pole: y moves by 1 less `pole` of the way to x.
///
/// - Note: Real-time safe.
/// Source: Effects Extension Guide (OpenAL), AL_AIR_ABSORPTION_FACTOR.
struct AirAbsorption: BitwiseCopyable {
  private var pole: Float = 0
  private var held: Float = 0

  /// The pole that leaves what air leaves at 5000 Hz.
  ///
  /// - Parameters:
  ///   - metres: the way through the air.
  ///   - amount: how many times as much as air.
  ///   - rate: frames a second.
  /// - Returns: 0, which takes nothing away, to below 1.
  @_noAllocation @_noLocks
  static func pole(metres: Float, amount: Float, rate: SampleRate) -> Float {
    let factor = SampleMath.power(0.994, Double(metres) * Double(amount))
    let square = max(1e-4, factor * factor)
    guard square < 0.9999 else { return 0 }
    let cosine = SampleMath.cosine(min(.pi, 2 * .pi * 5000 / Double(rate.hertz)))
    // Of (1 − a)² / (1 + a² − 2a · cosine) = square, the root below 1.
    let half = 1 - square * cosine
    let rest = 1 - square
    return Float((half - SampleMath.root(max(0, half * half - rest * rest))) / rest)
  }

  /// Filters a quantum, while the pole goes to another place in a straight line.
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

  /// Whether it leaves a sound alone.
  var isClear: Bool {
    @_noAllocation @_noLocks
    get { pole == 0 }
  }

  /// Forgets what was heard.
  @_noAllocation @_noLocks
  mutating func settle(_ pole: Float) {
    self.pole = pole
    held = 0
  }
}
