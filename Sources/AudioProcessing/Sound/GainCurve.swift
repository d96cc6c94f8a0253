// SPDX-License-Identifier: Apache-2.0

/// The linear factors for a quantum of values in decibels.
///
/// A power is computed only if the value changes.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct GainCurve: BitwiseCopyable {
  /// The factor at each frame.
  let factors: UnsafeMutablePointer<Float>
  private var decibels: Float = 0

  /// Creates factors of 1.
  ///
  /// The owner deallocates them.
  init() {
    unsafe factors = SampleLoop.allocate(channelCount: 1)
    unsafe factors.update(repeating: 1, count: AudioFormat.quantum)
  }

  func deallocate() {
    unsafe factors.deallocate()
  }

  /// Computes the factors of a quantum.
  @_noAllocation @_noLocks
  mutating func fill(_ curve: UnsafePointer<Float>) {
    var factor = unsafe factors[AudioFormat.quantum &- 1]
    for frame in 0..<AudioFormat.quantum {
      let value = unsafe curve[frame]
      if value != decibels {
        decibels = value
        factor = value == 0 ? 1 : SampleMath.factor(ofDecibels: value)
      }
      unsafe factors[frame] = factor
    }
  }
}
