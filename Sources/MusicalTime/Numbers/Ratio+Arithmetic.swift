// SPDX-License-Identifier: Apache-2.0

extension Ratio {
  /// The sum.
  ///
  /// - Throws: `TimeError.overflow` past 128 bits.
  public static func + (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    let shared = Int128(greatestCommonDivisor(left.denominator, right.denominator))
    let leftScale = right.denominator / shared
    let rightScale = left.denominator / shared
    let sum = try add(
      multiply(left.numerator, leftScale), multiply(right.numerator, rightScale))
    return try Ratio(exactly: sum, over: multiply(left.denominator, leftScale))
  }

  /// The difference.
  ///
  /// - Throws: `TimeError.overflow` past 128 bits.
  public static func - (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    try left + -right
  }

  /// The product.
  ///
  /// - Throws: `TimeError.overflow` past 128 bits.
  public static func * (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    let first = Int128(greatestCommonDivisor(left.numerator, right.denominator))
    let second = Int128(greatestCommonDivisor(right.numerator, left.denominator))
    return Ratio(
      lowestTerms: try multiply(left.numerator / first, right.numerator / second),
      try multiply(left.denominator / second, right.denominator / first))
  }

  /// The quotient.
  ///
  /// - Throws: `TimeError.zeroDenominator` where the divisor is zero; `TimeError.overflow` past
  ///   128 bits.
  public static func / (left: Ratio, right: Ratio) throws(TimeError) -> Ratio {
    try left * right.inverted()
  }

  /// The opposite value.
  public static prefix func - (value: Ratio) -> Ratio {
    Ratio(lowestTerms: -value.numerator, value.denominator)
  }

  /// One over the value.
  ///
  /// - Throws: `TimeError.zeroDenominator` for zero.
  public func inverted() throws(TimeError) -> Ratio {
    guard numerator != 0 else { throw .zeroDenominator }
    let sign: Int128 = numerator < 0 ? -1 : 1
    return Ratio(lowestTerms: sign * denominator, sign * numerator)
  }
}

extension Ratio: Comparable {
  /// Compares exactly, whatever the sizes.
  public static func < (left: Ratio, right: Ratio) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let (first, firstOverflow) = left.numerator.multipliedReportingOverflow(by: right.denominator)
    let (second, overflow) = right.numerator.multipliedReportingOverflow(by: left.denominator)
    if !firstOverflow && !overflow { return first < second }
    return lessByContinuedFraction(left, right)
  }

  /// Compares whole parts, then the reciprocals of the remainders the other way round.
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
  /// The value as a 64-bit integer of a unit.
  ///
  /// - Parameters:
  ///   - rounding: How to pick one of the two integers around the value.
  ///   - unit: The unit's name in the plural, for the error's sentence.
  /// - Returns: The integer, and how far the value lies from it.
  /// - Throws: `TimeError.inexact` for rounding `exact` of a fraction; `TimeError.overflow` past
  ///   64 bits.
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

/// The product of two wide integers.
@usableFromInline
func multiply(_ left: Int128, _ right: Int128) throws(TimeError) -> Int128 {
  let (product, overflow) = left.multipliedReportingOverflow(by: right)
  guard !overflow, product != .min else { throw .overflow("ratio") }
  return product
}

/// The sum of two wide integers.
@usableFromInline
func add(_ left: Int128, _ right: Int128) throws(TimeError) -> Int128 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  guard !overflow, sum != .min else { throw .overflow("ratio") }
  return sum
}
