// SPDX-License-Identifier: Apache-2.0

/// Reads the numbers of TOML, and suggests corrections.
///
/// Source: TOML 1.0.0, Integer and Float.
enum TOMLNumber {
  /// The value of a word; nil if it is not a number of TOML, or too large.
  ///
  /// Integers have 64 bits. Other numbers are kept as they are written, without underscores, and
  /// must be below 1.8e308.
  static func value(_ word: String) -> TOMLValue? {
    let bytes = Array(word.utf8)
    let digits = word.replacing("_", with: "")
    if let radix = radix(of: bytes) {
      guard areDigits(bytes[2...], radix: radix) else { return nil }
      return Int(digits.dropFirst(2), radix: radix).map(TOMLValue.integer)
    }
    let parts = Parts(bytes)
    guard !parts.isName else { return .decimal(word) }
    guard areDigits(parts.whole), parts.whole.first != UInt8(ascii: "0") || parts.whole.count == 1
    else { return nil }
    guard parts.fraction != nil || parts.exponent != nil else {
      return Int(digits).map(TOMLValue.integer)
    }
    guard parts.fraction.map({ areDigits($0) }) ?? true,
      parts.exponent.map({ areDigits(unsigned($0)) }) ?? true,
      let number = Double(digits), number.isFinite
    else { return nil }
    return .decimal(digits)
  }

  static func isDigit(_ byte: UInt8, radix: Int = 10) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) < radix
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
    default: false
    }
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.first.map(isSign) ?? false ? bytes.dropFirst() : bytes
  }

  /// True for digits with at most one underscore between any two.
  private static func areDigits(_ bytes: ArraySlice<UInt8>, radix: Int = 10) -> Bool {
    var wasDigit = false
    for byte in bytes {
      let isUnderscore = byte == UInt8(ascii: "_")
      guard isUnderscore ? wasDigit : isDigit(byte, radix: radix) else { return false }
      wasDigit = !isUnderscore
    }
    return wasDigit
  }

  /// The base for the prefix `0x`, `0o` or `0b`; nil without such a prefix.
  private static func radix(of bytes: [UInt8]) -> Int? {
    guard bytes.first == UInt8(ascii: "0"), bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  /// The parts of a decimal number.
  private struct Parts {
    var whole: ArraySlice<UInt8>
    /// The digits after the point, or nil without a point.
    var fraction: ArraySlice<UInt8>?
    /// The sign and digits after the `e`, or nil without an `e`.
    var exponent: ArraySlice<UInt8>?

    init(_ bytes: [UInt8]) {
      var rest = unsigned(bytes[...])
      if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
        exponent = rest[(mark + 1)...]
        rest = rest[..<mark]
      }
      if let point = rest.firstIndex(of: UInt8(ascii: ".")) {
        fraction = rest[(point + 1)...]
        rest = rest[..<point]
      }
      whole = rest
    }

    /// True for infinity and NaN in TOML's notation.
    var isName: Bool {
      fraction == nil && exponent == nil
        && (whole.elementsEqual("inf".utf8) || whole.elementsEqual("nan".utf8))
    }
  }
}
