// SPDX-License-Identifier: Apache-2.0

/// A divisor with its 64-bit reciprocal, which replaces a slow division by a multiplication.
@usableFromInline
struct Reciprocal: BitwiseCopyable, Sendable {
  /// The divisor; above zero.
  @usableFromInline let divisor: Int64
  /// ⌊2⁶⁴ / divisor⌋, or 2⁶⁴ − 1 if the divisor is one.
  @usableFromInline let inverse: UInt64

  @inlinable
  init(of divisor: Int64) {
    self.divisor = divisor
    inverse =
      divisor == 1 ? .max : UInt64(divisor).dividingFullWidth((1, 0)).quotient
  }

  @inlinable
  init(_ divisor: Int64, inverse: UInt64) {
    self.divisor = divisor
    self.inverse = inverse
  }

  /// The quotient rounded down, and the remainder.
  @inlinable
  @inline(__always)
  func flooredDivision(of value: Int64) -> (quotient: Int64, remainder: Int64) {
    if value < 0 { return MusicalTime.flooredDivision(value, by: divisor) }
    // The reciprocal is less than one too small and the value is below 2⁶³, so the estimate is the
    // quotient or one less.
    let estimate = Int64(
      bitPattern: inverse.multipliedFullWidth(by: UInt64(bitPattern: value)).high)
    let remainder = value &- estimate &* divisor
    let isShort = remainder >= divisor
    return (
      isShort ? estimate &+ 1 : estimate, isShort ? remainder &- divisor : remainder
    )
  }

  /// The rounded quotient; nil if the rounding is `exact` and the quotient is not an integer.
  @inlinable
  @inline(__always)
  func quotient(
    of value: Int64, _ rounding: Rounding
  ) -> (value: Int64, remainder: Int64)? {
    let (floor, remainder) = flooredDivision(of: value)
    return rounded(floor, remainder, divisor, rounding, isNegative: value < 0)
  }
}
