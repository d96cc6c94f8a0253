// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The functions of the C library that kernels use.
///
/// Vouched for, all of them: they compute and do nothing else.
///
/// - Note: Real-time safe.
enum SampleMath {
  /// The square root.
  @_noAllocation @_noLocks
  static func root(_ value: Float) -> Float {
    unsafe _unsafePerformance { value.squareRoot() }
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

  /// The logarithm to the base 10.
  @_noAllocation @_noLocks
  static func log10(_ value: Double) -> Double {
    unsafe _unsafePerformance { Glibc.log10(value) }
  }

  /// The factor that a number of decibels means: −6.0206 is a half.
  @_noAllocation @_noLocks
  static func factor(ofDecibels decibels: Float) -> Float {
    Float(power(10, Double(decibels) / 20))
  }
}
