// SPDX-License-Identifier: Apache-2.0

/// What becomes of a value: of a data byte, 0…127, or of a fine value, 0…16383.
///
/// Results are held to the value's range.
public enum ValueTransform: Hashable, Sendable {
  /// It stays.
  case none
  /// The message is dropped.
  case drop
  /// A number is added.
  case add(Int)
  /// It is multiplied by a ratio of 4096ths, rounded to the nearest, halves up: 2048 halves it.
  case scale(by4096ths: Int)
  /// It is raised to at least this.
  case atLeast(UInt16)
  /// It is lowered to at most this.
  case atMost(UInt16)
  /// It is looked up in a table of 128 entries; beyond a shorter table's end it stays.
  ///
  /// Of a fine value the upper seven bits are looked up, and the lower become zero.
  case map([UInt8])
  /// One change after the other.
  case sequence([ValueTransform])

  /// The data byte changed, or nil where the message is dropped.
  public func apply(_ value: UInt8) -> UInt8? {
    apply(Int(value), limit: 127, centre: 0).map { UInt8($0) }
  }

  /// The fine value changed, or nil where the message is dropped.
  ///
  /// - Parameters:
  ///   - value: the value, 0…16383.
  ///   - centre: what stays where it is when the value is scaled: 8192 for a bend.
  /// - Returns: the new value.
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

  /// The product, or nil where it does not fit.
  private static func scaled(_ value: Int, _ factor: Int) -> Int? {
    let product = value.multipliedReportingOverflow(by: factor)
    let rounded = product.partialValue.addingReportingOverflow(2048)
    return product.overflow || rounded.overflow ? nil : rounded.partialValue >> 12
  }
}
