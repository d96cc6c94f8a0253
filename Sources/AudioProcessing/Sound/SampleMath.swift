// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The mathematical functions that kernels and effects use.
///
/// Vouched for: these functions only compute.
///
/// - Note: Real-time safe.
package enum SampleMath {
  /// The square root.
  @_noAllocation @_noLocks
  static func root(_ value: Float) -> Float {
    unsafe _unsafePerformance { value.squareRoot() }
  }

  /// The square root.
  @_noAllocation @_noLocks
  static func root(_ value: Double) -> Double {
    unsafe _unsafePerformance { value.squareRoot() }
  }

  /// The largest whole number that is not above the value.
  @_noAllocation @_noLocks
  static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return value < Double(whole) ? whole &- 1 : whole
  }

  /// The angle of a point in radians, −π…π, measured from `x` towards `y`.
  @_noAllocation @_noLocks
  static func angle(_ y: Double, _ x: Double) -> Double {
    unsafe _unsafePerformance { atan2(y, x) }
  }

  /// The sine of an angle in radians.
  @_noAllocation @_noLocks
  static func sine(_ angle: Double) -> Double {
    unsafe _unsafePerformance { sin(angle) }
  }

  /// The cosine of an angle in radians.
  @_noAllocation @_noLocks
  static func cosine(_ angle: Double) -> Double {
    unsafe _unsafePerformance { cos(angle) }
  }

  /// A number raised to a power.
  @_noAllocation @_noLocks
  static func power(_ base: Double, _ exponent: Double) -> Double {
    unsafe _unsafePerformance { pow(base, exponent) }
  }

  /// The smoothing coefficient, 0…1, with which 63 % of a change is done after a number of frames.
  @_noAllocation @_noLocks
  static func share(frames: Double) -> Double {
    frames < 0.01 ? 1 : 1 - power(2.718281828459045, -1 / frames)
  }

  /// The number e raised to a power.
  @_noAllocation @_noLocks
  package static func exponential(_ exponent: Double) -> Double {
    unsafe _unsafePerformance { exp(exponent) }
  }

  /// The natural logarithm.
  @_noAllocation @_noLocks
  package static func logarithm(_ value: Double) -> Double {
    unsafe _unsafePerformance { log(value) }
  }

  /// The logarithm to base 10.
  @_noAllocation @_noLocks
  static func log10(_ value: Double) -> Double {
    unsafe _unsafePerformance { Glibc.log10(value) }
  }

  /// Converts decibels to a factor: −6.0206 dB is 0.5.
  @_noAllocation @_noLocks
  static func factor(ofDecibels decibels: Float) -> Float {
    Float(power(10, Double(decibels) / 20))
  }
}
