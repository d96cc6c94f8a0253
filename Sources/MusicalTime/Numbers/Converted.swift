// SPDX-License-Identifier: Apache-2.0

/// The answer of a conversion: a value, and exactly how far it lies from the truth.
///
/// At 48 000 Hz frame 1 begins at 20 833⅓ ns. Rounded to the nearest the value is 20 833, it is
/// not exact, and the residue, exact value minus value, is 1/3 ns.
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

  /// Creates an exact answer.
  @inlinable
  public init(exactly value: Value) {
    self.init(value, remainder: 0, divisor: 1)
  }

  /// Whether nothing was rounded.
  @inlinable
  public var isExact: Bool { remainder == 0 }

  /// The exact value minus `value`, in the unit of the value.
  ///
  /// - Complexity: A greatest common divisor: the fraction is reduced only when it is asked for.
  public var residue: Ratio {
    let common = Int128(greatestCommonDivisor(remainder, divisor))
    return Ratio(lowestTerms: remainder / common, divisor / common)
  }

  /// The same answer with its value in another type of the same unit.
  @inlinable
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Converted<Other> {
    Converted<Other>(transform(value), remainder: remainder, divisor: divisor)
  }
}

extension Converted: Equatable where Value: Equatable {
  /// Whether the values and the residues are equal.
  public static func == (left: Converted, right: Converted) -> Bool {
    left.value == right.value && left.residue == right.residue
  }
}
