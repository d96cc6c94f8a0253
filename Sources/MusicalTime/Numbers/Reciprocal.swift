// SPDX-License-Identifier: Apache-2.0

/// A divisor with its reciprocal in 64 bits: a multiplication in place of a slow division.
@usableFromInline
struct Reciprocal: BitwiseCopyable, Sendable {
  /// The divisor; above zero.
  @usableFromInline let divisor: Int64
  /// ⌊2⁶⁴ / divisor⌋, or 2⁶⁴ − 1 for one.
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

  /// The largest integer at or below a quotient, and what is left.
  @inlinable
  @inline(__always)
  func flooredDivision(of value: Int64) -> (quotient: Int64, remainder: Int64) {
    if value < 0 { return MusicalTime.flooredDivision(value, by: divisor) }
    // The reciprocal is less than one too small and the value below 2⁶³: the estimate is the
    // quotient or one less.
    let estimate = Int64(
      bitPattern: inverse.multipliedFullWidth(by: UInt64(bitPattern: value)).high)
    let remainder = value &- estimate &* divisor
    let isShort = remainder >= divisor
    return (
      isShort ? estimate &+ 1 : estimate, isShort ? remainder &- divisor : remainder
    )
  }

  /// A quotient rounded; nil where rounding `exact` would have to round.
  @inlinable
  @inline(__always)
  func quotient(
    of value: Int64, _ rounding: Rounding
  ) -> (value: Int64, remainder: Int64)? {
    let (floor, remainder) = flooredDivision(of: value)
    return rounded(floor, remainder, divisor, rounding, isNegative: value < 0)
  }
}
