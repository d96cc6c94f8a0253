// SPDX-License-Identifier: Apache-2.0

/// An exact rational number in lowest terms, for beats, seconds, tempi and rates.
///
/// Conversions calculate with ratios and round only the result. The numerator and the denominator
/// have 128 bits; arithmetic throws `TimeError.overflow` if its result does not fit.
public struct Ratio: Hashable, BitwiseCopyable, Sendable {
  /// The numerator, which has the sign of the value.
  public let numerator: Int128
  /// The denominator; above zero.
  public let denominator: Int128

  @usableFromInline
  init(lowestTerms numerator: Int128, _ denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a whole number.
  @inlinable
  public init(_ integer: Int64) {
    self.init(lowestTerms: Int128(integer), 1)
  }

  /// Creates the quotient of two integers.
  ///
  /// - Precondition: `denominator` is not zero. For a denominator from input use
  ///   `init(exactly:over:)`.
  public init(_ numerator: Int64, over denominator: Int64) {
    precondition(denominator != 0, "the denominator must not be 0")
    let sign: Int128 = denominator < 0 ? -1 : 1
    let divisor = Int128(greatestCommonDivisor(Int128(numerator), Int128(denominator)))
    self.init(
      lowestTerms: sign * Int128(numerator) / divisor, sign * Int128(denominator) / divisor)
  }

  /// Creates the quotient of two 128-bit integers, reduced to lowest terms.
  ///
  /// - Throws: `TimeError.zeroDenominator` if `denominator` is zero; `TimeError.overflow` if an
  ///   argument is −2¹²⁷.
  public init(exactly numerator: Int128, over denominator: Int128) throws(TimeError) {
    guard denominator != 0 else { throw .zeroDenominator }
    guard numerator != .min, denominator != .min else { throw .overflow("ratio") }
    let sign: Int128 = denominator < 0 ? -1 : 1
    let divisor = Int128(greatestCommonDivisor(numerator, denominator))
    self.init(lowestTerms: sign * numerator / divisor, sign * denominator / divisor)
  }

  /// The value 0.
  @inlinable
  public static var zero: Ratio { Ratio(0) }

  /// True if the value is an integer.
  @inlinable
  public var isInteger: Bool { denominator == 1 }

  /// The nearest floating-point number, for display.
  public var approximation: Double { Double(numerator) / Double(denominator) }
}

extension Ratio: ExpressibleByIntegerLiteral {
  /// Creates an integer from a literal.
  @inlinable
  public init(integerLiteral value: Int64) {
    self.init(value)
  }
}

extension Ratio: CustomStringConvertible {
  /// The value as text, `n` or `n/d`.
  public var description: String {
    isInteger ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

/// The greatest common divisor of two absolute values; if one of them is zero, the other.
@usableFromInline
func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> UInt128 {
  var large = first.magnitude
  var small = second.magnitude
  while small > UInt128(UInt64.max) { (large, small) = (small, large % small) }
  guard small != 0 else { return large }
  var wide = UInt64(small)
  var narrow = UInt64(large % small)
  while narrow != 0 { (wide, narrow) = (narrow, wide % narrow) }
  return UInt128(wide)
}
