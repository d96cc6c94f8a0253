// SPDX-License-Identifier: Apache-2.0

/// The order in which a person counts names: `2.mid` before `10.mid`, `a` beside `A`.
///
/// Digits that follow one another are a number, of any length; other characters are compared
/// without their case. Names that are the same so far are told apart by their bytes, so that it is
/// an order of all names.
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

  /// Takes the digits of a number, without zeros before it.
  private static func number(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = rest.prefix(while: isDigit)
    rest = rest[digits.endIndex...]
    return Array(digits.drop { $0 == 0x30 })
  }

  /// Takes one byte, a capital as its small letter; capitals beyond ASCII stay apart.
  private static func letter(_ rest: inout Substring.UTF8View) -> [UInt8] {
    guard let byte = rest.popFirst() else { return [] }
    return [(0x41...0x5A).contains(byte) ? byte + 0x20 : byte]
  }
}
