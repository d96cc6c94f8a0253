// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The functions of the C library that effects use.
///
/// Vouched for, all of them: they compute and do nothing else.
///
/// - Note: Real-time safe.
enum EffectMath {
  /// The number e raised to a power.
  @_noAllocation @_noLocks
  static func power(_ exponent: Double) -> Double {
    unsafe _unsafePerformance { exp(exponent) }
  }

  /// The logarithm to the base e.
  @_noAllocation @_noLocks
  static func logarithm(_ value: Double) -> Double {
    unsafe _unsafePerformance { log(value) }
  }

  /// The share of what is new in a filter of one pole, 0…1.
  @_noAllocation @_noLocks
  static func share(hertz: Double, framesPerSecond: Double) -> Float {
    Float(1 - power(-2 * Double.pi * hertz / framesPerSecond))
  }
}
