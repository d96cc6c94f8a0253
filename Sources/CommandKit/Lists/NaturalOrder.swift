// SPDX-License-Identifier: Apache-2.0

/// The natural order of names: `2.mid` before `10.mid`, and `a` next to `A`.
///
/// Consecutive digits are compared as a number of any length, other characters without case. Names
/// that are equal in this way are compared by their bytes, so that the order is total.
struct NaturalOrder: Comparable {
  let name: String

  static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
    var (a, b) = (left.name.utf8[...], right.name.utf8[...])
    while let first = a.first, let second = b.first {
      let isNumber = isDigit(first) && isDigit(second)
      let (one, other) = isNumber ? (number(&a), number(&b)) : (letter(&a), letter(&b))
      if isNumber, one.count != other.count { return one.count < other.count }
      if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    }
    guard a.isEmpty, b.isEmpty else { return a.isEmpty }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  static func == (left: NaturalOrder, right: NaturalOrder) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Removes the digits of a number, and returns them without leading zeros.
  private static func number(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = rest.prefix(while: isDigit)
    rest = rest[digits.endIndex...]
    return Array(digits.drop { $0 == 0x30 })
  }

  /// Removes one byte, and returns it in lower case; only ASCII letters are converted.
  private static func letter(_ rest: inout Substring.UTF8View) -> [UInt8] {
    guard let byte = rest.popFirst() else { return [] }
    return [(0x41...0x5A).contains(byte) ? byte + 0x20 : byte]
  }
}
