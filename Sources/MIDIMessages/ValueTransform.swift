// SPDX-License-Identifier: Apache-2.0

/// What becomes of a data byte, 0…127; results are held to that range.
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
  case atLeast(UInt8)
  /// It is lowered to at most this.
  case atMost(UInt8)
  /// It is looked up in a table of 128 entries; beyond a shorter table's end it stays.
  case map([UInt8])

  /// The value changed, or nil where the message is dropped.
  public func apply(_ value: UInt8) -> UInt8? {
    switch self {
    case .none: value
    case .drop: nil
    case .add(let distance): Self.held(Int(value).addingReportingOverflow(distance))
    case .scale(let factor): Self.scaled(value, factor)
    case .atLeast(let floor): max(value, min(floor, 127))
    case .atMost(let ceiling): min(value, ceiling)
    case .map(let table): Int(value) < table.count ? min(table[Int(value)], 127) : value
    }
  }

  private static func scaled(_ value: UInt8, _ factor: Int) -> UInt8 {
    let product = Int(value).multipliedReportingOverflow(by: factor)
    if product.overflow { return factor < 0 ? 0 : 127 }
    let rounded = product.partialValue.addingReportingOverflow(2048)
    return held((rounded.partialValue >> 12, rounded.overflow))
  }

  private static func held(_ sum: (partialValue: Int, overflow: Bool)) -> UInt8 {
    // A sum overflows only past the greatest number: a data byte is never negative.
    sum.overflow ? 127 : UInt8(min(max(sum.partialValue, 0), 127))
  }
}
