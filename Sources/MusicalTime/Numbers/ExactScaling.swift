// SPDX-License-Identifier: Apache-2.0

/// The quotient rounded down, and the remainder.
@inlinable
func flooredDivision<Integer: FixedWidthInteger>(
  _ value: Integer, by divisor: Integer
) -> (quotient: Integer, remainder: Integer) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// A quotient, rounded, with (exact value − value) as a remainder over the divisor, which is above
/// zero; nil if the rounding is `exact` and the quotient is not an integer.
@inlinable
func quotient<Integer: FixedWidthInteger & SignedInteger>(
  _ value: Integer, by divisor: Integer, _ rounding: Rounding
) -> (value: Integer, remainder: Integer)? {
  let (floor, remainder) = flooredDivision(value, by: divisor)
  return rounded(floor, remainder, divisor, rounding, isNegative: value < 0)
}

/// A quotient that was rounded down, with the rounding applied.
@inlinable
@inline(__always)
func rounded<Integer: FixedWidthInteger & SignedInteger>(
  _ floor: Integer, _ remainder: Integer, _ divisor: Integer, _ rounding: Rounding,
  isNegative: Bool
) -> (value: Integer, remainder: Integer)? {
  let goesUp: Bool
  switch rounding {
  case .exact:
    if remainder != 0 { return nil }
    goesUp = false
  case .floor: goesUp = false
  case .ceil: goesUp = remainder != 0
  case .nearest:
    // 0 ≤ remainder < divisor, so nothing overflows. A half is rounded away from zero. A quotient
    // with a remainder is never the largest integer.
    let toCeiling = divisor &- remainder
    goesUp = isNegative ? remainder > toCeiling : remainder >= toCeiling
  }
  return (goesUp ? floor &+ 1 : floor, goesUp ? remainder &- divisor : remainder)
}

/// Returns `value · multiplier / divisor`, rounded once.
///
/// - Parameters:
///   - value: Any integer.
///   - multiplier: Above zero.
///   - divisor: Above zero.
///   - rounding: The rounding to an integer.
///   - unit: The unit of the result in the plural, for the error message.
/// - Returns: The integer, with the difference from the exact value.
/// - Throws: `TimeError.inexact`, `TimeError.overflow`.
@inlinable
func scale(
  _ value: Int64, by multiplier: Int64, over divisor: Int64, _ rounding: Rounding,
  unit: @autoclosure () -> String
) throws(TimeError) -> Converted<Int64> {
  let (product, overflow) = value.multipliedReportingOverflow(by: multiplier)
  if overflow {
    return try scaleWide(Int128(value) * Int128(multiplier), over: divisor, rounding, unit: unit())
  }
  guard let result = quotient(product, by: divisor, rounding) else {
    throw .inexact(unit: unit())
  }
  return Converted(result.value, remainder: Int128(result.remainder), divisor: Int128(divisor))
}

/// Returns `product / divisor`, rounded once, for a product that needs more than 64 bits.
@inlinable
func scaleWide(
  _ product: Int128, over divisor: Int64, _ rounding: Rounding, unit: @autoclosure () -> String
) throws(TimeError) -> Converted<Int64> {
  guard let result = quotient(product, by: Int128(divisor), rounding) else {
    throw .inexact(unit: unit())
  }
  guard let narrow = Int64(exactly: result.value) else { throw .overflow(unit()) }
  return Converted(narrow, remainder: result.remainder, divisor: Int128(divisor))
}
