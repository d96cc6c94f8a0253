// SPDX-License-Identifier: Apache-2.0

extension Ratio {
  /// Returns the sum.
  ///
  /// - Throws: `TimeError.overflow` if it does not fit in 128 bits.
  public static func + (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    let shared = Int128(greatestCommonDivisor(left.denominator, right.denominator))
    let leftScale = right.denominator / shared
    let rightScale = left.denominator / shared
    let sum = try add(
      multiply(left.numerator, leftScale), multiply(right.numerator, rightScale))
    return try Ratio(exactly: sum, over: multiply(left.denominator, leftScale))
  }

  /// Returns the difference.
  ///
  /// - Throws: `TimeError.overflow` if it does not fit in 128 bits.
  public static func - (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    try left + -right
  }

  /// Returns the product.
  ///
  /// - Throws: `TimeError.overflow` if it does not fit in 128 bits.
  public static func * (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    let first = Int128(greatestCommonDivisor(left.numerator, right.denominator))
    let second = Int128(greatestCommonDivisor(right.numerator, left.denominator))
    return Ratio(
      lowestTerms: try multiply(left.numerator / first, right.numerator / second),
      try multiply(left.denominator / second, right.denominator / first))
  }

  /// Returns the quotient.
  ///
  /// - Throws: `TimeError.zeroDenominator` if the divisor is zero; `TimeError.overflow` if the
  ///   result does not fit in 128 bits.
  public static func / (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    try left * right.inverted()
  }

  /// Returns the value with the opposite sign.
  public static prefix func - (value: Ratio) -> Ratio {
    Ratio(lowestTerms: -value.numerator, value.denominator)
  }

  /// Returns the reciprocal.
  ///
  /// - Throws: `TimeError.zeroDenominator` if the value is zero.
  public func inverted() throws(TimeError) -> Ratio {
    guard numerator != 0 else { throw .zeroDenominator }
    let sign: Int128 = numerator < 0 ? -1 : 1
    return Ratio(lowestTerms: sign * denominator, sign * numerator)
  }
}

extension Ratio: Comparable {
  /// Returns true if the left value is less than the right one.
  ///
  /// The comparison is exact for all values.
  public static func < (left: Ratio, right: Ratio) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let (first, firstOverflow) = left.numerator.multipliedReportingOverflow(by: right.denominator)
    let (second, overflow) = right.numerator.multipliedReportingOverflow(by: left.denominator)
    if !firstOverflow && !overflow { return first < second }
    return lessByContinuedFraction(left, right)
  }

  /// Compares the whole parts, then the reciprocals of the remainders in opposite order.
  private static func lessByContinuedFraction(_ left: Ratio, _ right: Ratio) -> Bool {
    var (a, b, c, d) = (left.numerator, left.denominator, right.numerator, right.denominator)
    while true {
      let (first, firstRest) = flooredDivision(a, by: b)
      let (second, secondRest) = flooredDivision(c, by: d)
      if first != second { return first < second }
      if secondRest == 0 { return false }
      if firstRest == 0 { return true }
      // a'/b < c'/d  ⟺  d/c' < b/a', for remainders a', c' above zero.
      (a, b, c, d) = (d, secondRest, b, firstRest)
    }
  }
}

extension Ratio {
  /// Rounds the value to a 64-bit integer.
  ///
  /// - Parameters:
  ///   - rounding: The rounding to an integer.
  ///   - unit: The name of the unit in the plural, for the error message.
  /// - Returns: The integer, with the rounding error.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the value is a fraction;
  ///   `TimeError.overflow` if the integer does not fit in 64 bits.
  public func rounded(
    _ rounding: Rounding, unit: @autoclosure () -> String = "integers"
  ) throws(TimeError) -> Converted<Int64> {
    guard let result = quotient(numerator, by: denominator, rounding) else {
      throw .inexact(unit: unit())
    }
    guard let narrow = Int64(exactly: result.value) else { throw .overflow(unit()) }
    return Converted(narrow, remainder: result.remainder, divisor: denominator)
  }
}

/// The product of two 128-bit integers.
@usableFromInline
func multiply(_ left: Int128, _ right: Int128) throws(TimeError) -> Int128 {
  let (product, overflow) = left.multipliedReportingOverflow(by: right)
  guard !overflow, product != .min else { throw .overflow("ratio") }
  return product
}

/// The sum of two 128-bit integers.
@usableFromInline
func add(_ left: Int128, _ right: Int128) throws(TimeError) -> Int128 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  guard !overflow, sum != .min else { throw .overflow("ratio") }
  return sum
}
