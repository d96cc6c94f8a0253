// SPDX-License-Identifier: Apache-2.0

/// The four kinds of strings.
///
/// Source: TOML 1.0.0, String.
extension TOMLReader {
  /// True for a control character, which a string can contain only as an escape.
  static func isControl(_ byte: UInt8) -> Bool {
    (byte < UInt8(ascii: " ") && byte != UInt8(ascii: "\t")) || byte == 0x7F
  }

  /// A byte in Unicode notation: `U+001B`.
  static func codePoint(_ byte: UInt8) -> String {
    "U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  static func controlReason(_ byte: UInt8) -> String {
    byte == 0x0D
      ? "a carriage return without a line feed (end lines with a line feed)"
      : "the control character \(codePoint(byte)) (delete it)"
  }

  /// Throws an error if a string must not contain a byte unescaped.
  private func check(_ byte: UInt8, isLiteral: Bool) throws(TOMLError) {
    guard Self.isControl(byte) else { return }
    let code = Self.codePoint(byte)
    let advice =
      isLiteral
      ? "use a string in \" with \\u\(code.dropFirst(2))" : "write \\u\(code.dropFirst(2))"
    throw error("a string contains the control character \(code) (\(advice))")
  }

  // MARK: On one line

  mutating func literal() throws(TOMLError) -> String {
    offset += 1
    let start = offset
    while let byte, byte != UInt8(ascii: "'") {
      try checkEnd(byte, mark: "'")
      try check(byte, isLiteral: true)
      offset += 1
    }
    guard byte != nil else { throw error("' is missing at the string's end") }
    offset += 1
    return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
  }

  mutating func quoted() throws(TOMLError) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      try checkEnd(byte, mark: "\"")
      try check(byte, isLiteral: false)
      offset += 1
      if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
    }
    guard byte != nil else { throw error("\" is missing at the string's end") }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Throws an error if the line ends within a string of one line.
  private func checkEnd(_ byte: UInt8, mark: String) throws(TOMLError) {
    guard byte == UInt8(ascii: "\n") || isNext("\r\n") else { return }
    throw error(
      "\(mark) is missing at the string's end"
        + " (\(mark)\(mark)\(mark) on both sides for several lines)")
  }

  // MARK: On several lines

  mutating func longLiteral() throws(TOMLError) -> String {
    try long("'''", isLiteral: true)
  }

  mutating func longQuoted() throws(TOMLError) -> String {
    try long("\"\"\"", isLiteral: false)
  }

  private mutating func long(_ mark: String, isLiteral: Bool) throws(TOMLError) -> String {
    let start = line
    offset += 3
    _ = try takeNewline()
    var text: [UInt8] = []
    while !isNext(mark) {
      guard let byte else {
        throw TOMLError(line: start, reason: "\(mark) is missing at the end of this string")
      }
      let first = offset
      if try takeNewline() {
        text += bytes[first..<offset]
      } else if byte == UInt8(ascii: "\\"), !isLiteral {
        offset += 1
        if try !skipJoint() { text += try escaped() }
      } else {
        try check(byte, isLiteral: isLiteral)
        text.append(byte)
        offset += 1
      }
    }
    offset += 3
    // Up to two quotation marks can precede the three at the end.
    for _ in 0..<2 where byte == bytes[offset - 1] {
      text.append(bytes[offset])
      offset += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips blanks and newlines after a backslash at the end of its line; returns false if it is not
  /// at the end.
  private mutating func skipJoint() throws(TOMLError) -> Bool {
    let start = offset
    skipBlanks()
    guard try takeNewline() else {
      offset = start
      return false
    }
    repeat { skipBlanks() } while try takeNewline()
    return true
  }

  // MARK: Escapes

  private mutating func escaped() throws(TOMLError) -> [UInt8] {
    guard let byte else { throw error("\" is missing at the string's end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "u"): return try scalar(digits: 4)
    case UInt8(ascii: "U"): return try scalar(digits: 8)
    default:
      let rest = bytes[(offset - 1)...].prefix(4)
      let character = String(decoding: rest, as: UTF8.self).first ?? "?"
      let shown = Self.isControl(byte) || byte < 0x21 ? "" : String(character)
      throw error("unknown escape \\\(shown) (write \\\\ for a backslash, or use ' for the string)")
    }
  }

  private mutating func scalar(digits: Int) throws(TOMLError) -> [UInt8] {
    let text = bytes[offset...].prefix(digits)
    let isWhole = text.count == digits && text.allSatisfy { TOMLNumber.isDigit($0, radix: 16) }
    guard isWhole, let number = UInt32(String(decoding: text, as: UTF8.self), radix: 16) else {
      let escape = digits == 4 ? "\\u" : "\\U"
      throw error("\(escape) needs \(digits) hexadecimal digits (0 to 9, a to f)")
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw error(
        "\(String(number, radix: 16)): not a Unicode character (0 to d7ff, e000 to 10ffff)")
    }
    offset += digits
    return Array(String(Character(scalar)).utf8)
  }
}
