// SPDX-License-Identifier: Apache-2.0

/// A low-frequency oscillator with sine and cosine, which advances by a rotation each frame.
///
/// - Note: Real-time safe.
struct SlowOscillator: BitwiseCopyable {
  private(set) var sine: Float = 0
  private(set) var cosine: Float = 1
  private var stepSine: Float = 0
  private var stepCosine: Float = 1

  /// Sets the frequency, and corrects the amplitude for rounding errors.
  @_noAllocation @_noLocks
  mutating func aim(hertz: Double, framesPerSecond: Double) {
    let angle = 2 * Double.pi * hertz / framesPerSecond
    stepSine = Float(SampleMath.sine(angle))
    stepCosine = Float(SampleMath.cosine(angle))
    let length = SampleMath.root(sine * sine + cosine * cosine)
    sine /= length
    cosine /= length
  }

  /// Advances by one frame.
  @inline(__always) @_noAllocation @_noLocks
  mutating func turn() {
    (sine, cosine) = (
      sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine
    )
  }
}
