// SPDX-License-Identifier: Apache-2.0

/// Converts samples to integers of a given number of bits.
struct Quantizer {
  private let scale: Double
  private let maximum: Double

  /// Creates a quantizer for signed integers of 2…32 bits.
  init(bits: Int) {
    scale = Double(1 << (bits - 1))
    maximum = scale - 1
  }

  /// The sample times 2ⁿ⁻¹, rounded to the nearest integer (a half to even), and clamped.
  ///
  /// A sample of exactly 1.0 is full scale and is not reported as clamped, although the largest
  /// integer is one less.
  ///
  /// - Parameters:
  ///   - sample: The sample, full scale at ±1.
  ///   - dither: Noise that is added before rounding, in steps of the integer.
  ///
  /// - Returns: The integer, and true if the sample exceeded full scale.
  func integer(_ sample: Double, dither: Double = 0) -> (integer: Int32, wasClamped: Bool) {
    let scaled = sample * scale + dither
    guard scaled > -scale, scaled < maximum else { return atLimit(sample * scale) }
    // Adding 1.5 · 2⁵² leaves no room for a fraction, so the sum is rounded to nearest even, and
    // its lowest bits are the integer; `rounded()` would be a library call on a processor of the
    // first generation.
    let shift = 6_755_399_441_055_744.0
    return (Int32(truncatingIfNeeded: (scaled + shift).bitPattern), false)
  }

  private func atLimit(_ scaled: Double) -> (integer: Int32, wasClamped: Bool) {
    if scaled.isNaN { return (0, true) }
    return scaled > 0 ? (Int32(maximum), scaled > scale) : (Int32(-scale), scaled < -scale)
  }
}
