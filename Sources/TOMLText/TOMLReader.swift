// SPDX-License-Identifier: Apache-2.0

/// A reader of TOML documents: every key with its value and its line, in order.
///
/// It reads all of TOML 1.0 but dates and arrays of tables, which no setting needs, and refuses a
/// key that is given twice.
///
/// Source: TOML 1.0.0.
package struct TOMLReader {
  private static let deepest = 32

  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var depth = 0
  private var table: [String] = []
  private var entries: [TOMLEntry] = []
  private var keys: Set<[String]> = []
  private var tables: Set<[String]> = []

  private init(_ bytes: [UInt8]) {
    // A mark of the byte order that some editors put first.
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Reads a document.
  ///
  /// - Parameter bytes: the document, in UTF-8.
  /// - Returns: its keys in order.
  /// - Throws: `TOMLError` at the first line that is wrong.
  /// - Complexity: O(n) in the bytes.
  package static func read(_ bytes: [UInt8]) throws(TOMLError) -> [TOMLEntry] {
    var reader = TOMLReader(bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw reader.error("is not UTF-8")
    }
    while reader.offset < reader.bytes.count { try reader.statement() }
    return reader.entries
  }

  private func error(_ reason: String) -> TOMLError { TOMLError(line: line, reason: reason) }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  // MARK: Lines

  private mutating func statement() throws(TOMLError) {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "["): try header()
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): break
    default: try pair(in: table)
    }
    try endLine()
  }

  private mutating func skipBlanks() {
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
  }

  private mutating func endLine() throws(TOMLError) {
    skipBlanks()
    if byte == UInt8(ascii: "#") { skipComment() }
    if byte == UInt8(ascii: "\r") { offset += 1 }
    guard let byte else { return }
    guard byte == UInt8(ascii: "\n") else { throw error("a line's end is expected here") }
    offset += 1
    line += 1
  }

  private mutating func skipComment() {
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
  }

  private mutating func header() throws(TOMLError) {
    offset += 1
    guard byte != UInt8(ascii: "[") else { throw error("arrays of tables are not used here") }
    table = try key()
    skipBlanks()
    guard byte == UInt8(ascii: "]") else { throw error("']' is expected after a table's name") }
    offset += 1
    guard tables.insert(table).inserted, !keys.contains(table) else {
      throw error("the table \(Self.shown(table)) is there already")
    }
  }

  private mutating func pair(in table: [String]) throws(TOMLError) {
    let line = line
    let path = table + (try key())
    skipBlanks()
    guard byte == UInt8(ascii: "=") else {
      throw error("'=' is expected after \(Self.shown(path))")
    }
    offset += 1
    skipBlanks()
    if byte == UInt8(ascii: "{") { return try inlineTable(path) }
    let value = try value()
    guard keys.insert(path).inserted, !tables.contains(path) else {
      throw TOMLError(line: line, reason: "\(Self.shown(path)) is there already")
    }
    entries.append(TOMLEntry(path: path, value: value, line: line))
  }

  private mutating func inlineTable(_ path: [String]) throws(TOMLError) {
    try enter()
    offset += 1
    skipBlanks()
    while byte != UInt8(ascii: "}") {
      try pair(in: path)
      skipBlanks()
      guard byte != UInt8(ascii: "}") else { break }
      guard byte == UInt8(ascii: ",") else { throw error("',' or '}' is expected here") }
      offset += 1
      skipBlanks()
    }
    offset += 1
    depth -= 1
  }

  private mutating func enter() throws(TOMLError) {
    depth += 1
    guard depth <= Self.deepest else { throw error("too deep: more than \(Self.deepest) levels") }
  }

  // MARK: Keys

  private mutating func key() throws(TOMLError) -> [String] {
    var parts: [String] = []
    repeat {
      if !parts.isEmpty { offset += 1 }
      skipBlanks()
      parts.append(try keyPart())
      skipBlanks()
    } while byte == UInt8(ascii: ".")
    return parts
  }

  private mutating func keyPart() throws(TOMLError) -> String {
    switch byte {
    case UInt8(ascii: "\""): return try quoted()
    case UInt8(ascii: "'"): return try literal()
    default:
      let start = offset
      while let byte, Self.isBare(byte) { offset += 1 }
      guard offset > start else { throw error("a name is expected here") }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func shown(_ path: [String]) -> String { path.joined(separator: ".") }

  // MARK: Values

  private mutating func value() throws(TOMLError) -> TOMLValue {
    switch byte {
    case UInt8(ascii: "\""): return .text(try isNext("\"\"\"") ? longQuoted() : quoted())
    case UInt8(ascii: "'"): return .text(try isNext("'''") ? longLiteral() : literal())
    case UInt8(ascii: "["): return .array(try array())
    default: return try scalar()
    }
  }

  private mutating func array() throws(TOMLError) -> [TOMLValue] {
    try enter()
    offset += 1
    var values: [TOMLValue] = []
    try skipLines()
    while byte != UInt8(ascii: "]") {
      values.append(try value())
      try skipLines()
      guard byte != UInt8(ascii: "]") else { break }
      guard byte == UInt8(ascii: ",") else { throw error("',' or ']' is expected in the list") }
      offset += 1
      try skipLines()
    }
    offset += 1
    depth -= 1
    return values
  }

  private mutating func skipLines() throws(TOMLError) {
    while true {
      skipBlanks()
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): try endLine()
      case nil: throw error("the list does not end")
      default: return
      }
    }
  }

  private mutating func scalar() throws(TOMLError) -> TOMLValue {
    let start = offset
    while let byte, Self.isBare(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+") {
      offset += 1
    }
    let word = String(decoding: bytes[start..<offset], as: UTF8.self)
    if word == "true" { return .bool(true) }
    if word == "false" { return .bool(false) }
    if let value = Self.number(word) { return value }
    let hint = word.isEmpty ? "" : " (write \"\(word)\" for a text)"
    throw error("a value is expected after '='\(hint)")
  }

  private static func number(_ word: String) -> TOMLValue? {
    let digits = word.replacing("_", with: "")
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      return Int(digits.dropFirst(2), radix: radix).map(TOMLValue.integer)
    }
    if let integer = Int(digits) { return .integer(integer) }
    guard digits.first.map({ $0.isNumber || "+-".contains($0) }) ?? false,
      let number = Double(digits), number.isFinite
    else { return nil }
    return .decimal(digits)
  }

  // MARK: Texts

  private mutating func literal() throws(TOMLError) -> String {
    offset += 1
    let start = offset
    while let byte, byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\n") { offset += 1 }
    guard byte == UInt8(ascii: "'") else { throw error("the text does not end on its line") }
    offset += 1
    return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
  }

  private mutating func quoted() throws(TOMLError) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte != UInt8(ascii: "\n") else { throw error("the text does not end on its line") }
      offset += 1
      text += byte == UInt8(ascii: "\\") ? try escaped() : [byte]
    }
    guard byte != nil else { throw error("the text does not end") }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func longLiteral() throws(TOMLError) -> String {
    try long("'''") { _ throws(TOMLError) in nil }
  }

  private mutating func longQuoted() throws(TOMLError) -> String {
    try long("\"\"\"") { (reader) throws(TOMLError) in
      guard reader.byte == UInt8(ascii: "\\") else { return nil }
      reader.offset += 1
      guard reader.byte == UInt8(ascii: "\n") || reader.byte == UInt8(ascii: "\r") else {
        return try reader.escaped()
      }
      while let byte = reader.byte, byte <= UInt8(ascii: " ") { reader.take(byte) }
      return []
    }
  }

  /// A text of several lines, to its marks; `special` reads what is not taken as it is.
  private mutating func long(
    _ mark: String, _ special: (inout TOMLReader) throws(TOMLError) -> [UInt8]?
  ) throws(TOMLError) -> String {
    offset += 3
    if byte == UInt8(ascii: "\r") { offset += 1 }
    if byte == UInt8(ascii: "\n") { take(UInt8(ascii: "\n")) }
    var text: [UInt8] = []
    while !isNext(mark) {
      guard let byte else { throw error("the text does not end") }
      if let taken = try special(&self) {
        text += taken
      } else {
        text.append(byte)
        take(byte)
      }
    }
    offset += 3
    // Up to two quotation marks may stand before the three.
    while let byte, byte == bytes[offset - 1], text.count < bytes.count {
      text.append(byte)
      offset += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func take(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") { line += 1 }
    offset += 1
  }

  private mutating func escaped() throws(TOMLError) -> [UInt8] {
    guard let byte else { throw error("the text does not end") }
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
    default: throw error("'\\\(Unicode.Scalar(byte))' means nothing in a text ('\\\\' is one \\)")
    }
  }

  private mutating func scalar(digits: Int) throws(TOMLError) -> [UInt8] {
    let text = String(decoding: bytes[offset...].prefix(digits), as: UTF8.self)
    guard text.count == digits, let number = UInt32(text, radix: 16),
      let scalar = Unicode.Scalar(number)
    else { throw error("\(digits) hexadecimal digits of a character are expected") }
    offset += digits
    return Array(String(Character(scalar)).utf8)
  }
}
