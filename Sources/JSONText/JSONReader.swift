// SPDX-License-Identifier: Apache-2.0

/// An error in a JSON document: its byte offset and the reason.
package struct JSONError: Error, CustomStringConvertible {
  package let offset: Int
  package let reason: String

  package var description: String { "byte \(offset): \(reason)" }
}

/// A strict parser for one JSON document (RFC 8259).
///
/// Numbers keep their digits, and an object with duplicate names is an error. A document can
/// contain at most 262,144 values, which take about 16 MiB of memory.
package struct JSONReader {
  private static let deepest = 64
  private static let mostValues = 1 << 18

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0
  private var valueCount = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses a text that consists of one document.
  package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw reader.error("unexpected text after the end") }
    return value
  }

  private func error(_ reason: String) -> JSONError { JSONError(offset: offset, reason: reason) }

  private var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, offset < bytes.count else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard take(byte) else { throw error("expected '\(Character(UnicodeScalar(byte)))'") }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    valueCount += 1
    guard valueCount <= Self.mostValues else {
      throw error("more than \(Self.mostValues) values")
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .decimal(try number())
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < Self.deepest else { throw error("more than \(Self.deepest) nested levels") }
    depth += 1
    defer { depth -= 1 }
    offset += 1
    return try read(&self)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = []
    var names: Set<String> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      let name = try text()
      guard names.insert(name).inserted else { throw error("duplicate name \"\(name)\"") }
      skipSpace()
      try expect(UInt8(ascii: ":"))
      members.append((name, try value()))
      skipSpace()
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var values: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      values.append(try value())
      skipSpace()
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return .array(values)
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let letters = Array("\(word)".utf8)
    guard bytes[offset...].starts(with: letters) else { throw error("expected a value") }
    offset += letters.count
    return value
  }
}

extension JSONReader {
  /// Parses a number, and returns its digits.
  private mutating func number() throws(JSONError) -> String {
    let start = offset
    _ = take(UInt8(ascii: "-"))
    let whole = offset
    guard digits() else { throw error("expected a value") }
    guard bytes[whole] != UInt8(ascii: "0") || offset == whole + 1 else {
      throw error("extra 0 at the start of a number")
    }
    if take(UInt8(ascii: ".")) { guard digits() else { throw error("expected a digit") } }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() else { throw error("expected a digit") }
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Skips digits; returns false without any.
  private mutating func digits() -> Bool {
    let start = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    return offset > start
  }

  private mutating func text() throws(JSONError) -> String {
    try expect(UInt8(ascii: "\""))
    var text: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else {
          throw error("the string is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): text.append(contentsOf: try escaped())
      case 0..<0x20: throw error("control character in a string")
      default: text.append(byte)
      }
    }
    throw error("unterminated string")
  }

  private mutating func escaped() throws(JSONError) -> [UInt8] {
    let byte = next
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw error("unknown escape")
    }
  }

  /// Parses a scalar from one `\u` escape, or from the two escapes of a surrogate pair.
  private mutating func scalar() throws(JSONError) -> UnicodeScalar {
    let high = try unit()
    if let scalar = UnicodeScalar(high) { return scalar }
    guard high < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw error("incomplete surrogate pair")
    }
    let low = try unit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = UnicodeScalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("incomplete surrogate pair") }
    return scalar
  }

  private mutating func unit() throws(JSONError) -> UInt32 {
    let end = min(offset + 4, bytes.count)
    let digits = String(decoding: bytes[offset..<end], as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { throw error("expected four hexadecimal digits") }
    offset = end
    return value
  }
}
