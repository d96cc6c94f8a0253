// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The functions of the C library that kernels and effects use.
///
/// Vouched for, all of them: they compute and do nothing else.
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

  /// The greatest whole number that is not above one.
  @_noAllocation @_noLocks
  static func floor(_ value: Double) -> Int {
    let whole = Int(value)
    return value < Double(whole) ? whole &- 1 : whole
  }

  /// The angle of a point, in radians, −π…π: 0 on the side of `x`, and towards `y` from there.
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

  /// The share of the way to a goal for each frame, 0…1: after a number of frames 63 % are done.
  @_noAllocation @_noLocks
  static func share(frames: Double) -> Double {
    frames < 0.01 ? 1 : 1 - power(2.718281828459045, -1 / frames)
  }

  /// The number e raised to a power.
  @_noAllocation @_noLocks
  package static func exponential(_ exponent: Double) -> Double {
    unsafe _unsafePerformance { exp(exponent) }
  }

  /// The logarithm to the base e.
  @_noAllocation @_noLocks
  package static func logarithm(_ value: Double) -> Double {
    unsafe _unsafePerformance { log(value) }
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
