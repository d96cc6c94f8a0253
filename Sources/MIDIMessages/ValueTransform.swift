// SPDX-License-Identifier: Apache-2.0

/// A change of a value, which is either a data byte, 0…127, or a 14-bit value, 0…16383.
///
/// Results are limited to the range of the value.
public enum ValueTransform: Hashable, Sendable {
  /// Does not change the value.
  case none
  /// Drops the message.
  case drop
  /// Adds a number.
  case add(Int)
  /// Multiplies by a number of 4096ths, and rounds to the nearest integer; a half is rounded up.
  ///
  /// For example, 2048 halves the value.
  case scale(by4096ths: Int)
  /// Raises the value to at least this number.
  case atLeast(UInt16)
  /// Lowers the value to at most this number.
  case atMost(UInt16)
  /// Replaces the value by the entry with that index in a table of up to 128 entries.
  ///
  /// Values beyond the end of the table are not changed.
  ///
  /// For a 14-bit value the upper seven bits are looked up, and the lower seven bits become 0.
  case map([UInt8])
  /// Applies several changes in order.
  case sequence([ValueTransform])

  /// Returns the changed data byte, or nil if the message is dropped.
  public func apply(_ value: UInt8) -> UInt8? {
    apply(Int(value), limit: 127, centre: 0).map { UInt8($0) }
  }

  /// Returns the changed 14-bit value, or nil if the message is dropped.
  ///
  /// - Parameters:
  ///   - value: The value, 0…16383.
  ///   - centre: The value that scaling does not change: 8192 for a bend; 0 by default.
  /// - Returns: The new value.
  public func apply(fine value: UInt16, about centre: UInt16 = 0) -> UInt16? {
    apply(Int(value), limit: 16383, centre: Int(centre)).map { UInt16($0) }
  }

  private func apply(_ value: Int, limit: Int, centre: Int) -> Int? {
    switch self {
    case .none: return value
    case .drop: return nil
    case .add(let distance):
      let sum = value.addingReportingOverflow(distance)
      // A sum overflows only past the greatest number: a value is never negative.
      return sum.overflow ? limit : min(max(sum.partialValue, 0), limit)
    case .scale(let factor):
      return Self.scaled(value - centre, factor).map { min(max($0 + centre, 0), limit) }
        ?? ((factor < 0) == (value < centre) ? limit : 0)
    case .atLeast(let floor): return max(value, min(Int(floor), limit))
    case .atMost(let ceiling): return min(value, Int(ceiling))
    case .map(let table):
      let shift = limit > 127 ? 7 : 0
      return value >> shift < table.count ? min(Int(table[value >> shift]), 127) << shift : value
    case .sequence(let steps):
      return steps.reduce(Optional(value)) { value, step in
        value.flatMap { step.apply($0, limit: limit, centre: centre) }
      }
    }
  }

  /// The product, rounded; nil if it overflows.
  private static func scaled(_ value: Int, _ factor: Int) -> Int? {
    let product = value.multipliedReportingOverflow(by: factor)
    let rounded = product.partialValue.addingReportingOverflow(2048)
    return product.overflow || rounded.overflow ? nil : rounded.partialValue >> 12
  }
}
