// SPDX-License-Identifier: Apache-2.0

/// The result of a conversion: a rounded value and its exact rounding error.
///
/// At 48 000 Hz frame 1 begins at 20 833⅓ ns. Rounded to the nearest nanosecond, the value is
/// 20 833, it is not exact, and the residue (exact value minus value) is 1/3 ns.
public struct Converted<Value: Sendable>: Sendable {
  /// The rounded value.
  public let value: Value
  @usableFromInline let remainder: Int128
  @usableFromInline let divisor: Int128

  @inlinable
  init(_ value: Value, remainder: Int128, divisor: Int128) {
    self.value = value
    self.remainder = remainder
    self.divisor = divisor
  }

  /// Creates a result without a rounding error.
  @inlinable
  public init(exactly value: Value) {
    self.init(value, remainder: 0, divisor: 1)
  }

  /// True if the value was not rounded.
  @inlinable
  public var isExact: Bool { remainder == 0 }

  /// The rounding error: the exact value minus `value`, in the unit of the value.
  ///
  /// - Complexity: O(1), with a greatest common divisor: the fraction is only reduced here.
  public var residue: Ratio {
    let common = Int128(greatestCommonDivisor(remainder, divisor))
    return Ratio(lowestTerms: remainder / common, divisor / common)
  }

  /// Returns the same result with the value converted to another type; the unit must stay the same.
  @inlinable
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Converted<Other> {
    Converted<Other>(transform(value), remainder: remainder, divisor: divisor)
  }
}

extension Converted: Equatable where Value: Equatable {
  /// Returns true if both the values and the residues are equal.
  public static func == (left: Converted, right: Converted) -> Bool {
    left.value == right.value && left.residue == right.residue
  }
}
