// SPDX-License-Identifier: Apache-2.0

/// Reads a TOML document: every key with its value and its line, in order.
///
/// It reads TOML 1.0 except dates, times, and tables in arrays, which settings do not use. These
/// are errors, as is everything that TOML 1.0 forbids. Keys and values nest up to 32 levels.
///
/// Source: TOML 1.0.0.
package struct TOMLReader {
  private static let deepest = 32

  let bytes: [UInt8]
  var offset = 0
  var line = 1
  private var depth = 0
  private var names = TOMLNames()
  private var entries: [TOMLEntry] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a document.
  ///
  /// - Parameter bytes: The document, in UTF-8.
  /// - Returns: The keys in order.
  /// - Throws: `TOMLError` for the first wrong line.
  /// - Complexity: O(n) in the bytes.
  package static func read(_ bytes: [UInt8]) throws(TOMLError) -> [TOMLEntry] {
    // Some editors write a byte order mark first.
    var reader = TOMLReader(
      bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    try reader.checkEncoding()
    var table = TOMLNames.Table.root
    while reader.offset < reader.bytes.count { try reader.statement(in: &table) }
    return reader.entries
  }

  func error(_ reason: String) -> TOMLError { TOMLError(line: line, reason: reason) }

  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Throws an error at the first line that is not UTF-8.
  private func checkEncoding() throws(TOMLError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    // A line feed is not part of any longer UTF-8 sequence, so each line can be checked alone.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let place = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    throw TOMLError(line: (place ?? 0) + 1, reason: "not UTF-8 (save the file as UTF-8)")
  }

  // MARK: Lines

  private mutating func statement(in table: inout TOMLNames.Table) throws(TOMLError) {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "["): table = try header()
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"): break
    default: try pair(in: table)
    }
    try endLine()
  }

  mutating func skipBlanks() {
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
  }

  private mutating func endLine() throws(TOMLError) {
    skipBlanks()
    if byte == UInt8(ascii: "#") { try skipComment() }
    guard byte != nil else { return }
    guard try takeNewline() else { throw error("the line should end here (one key on each line)") }
  }

  /// Reads a line feed, or a carriage return and a line feed; returns false for other characters.
  mutating func takeNewline() throws(TOMLError) -> Bool {
    if byte == UInt8(ascii: "\r") {
      guard isNext("\r\n") else { throw error(Self.controlReason(0x0D)) }
      offset += 1
    }
    guard byte == UInt8(ascii: "\n") else { return false }
    offset += 1
    line += 1
    return true
  }

  private mutating func skipComment() throws(TOMLError) {
    while let byte, byte != UInt8(ascii: "\n"), !isNext("\r\n") {
      guard !Self.isControl(byte) else {
        throw error("a comment contains the control character \(Self.codePoint(byte)) (delete it)")
      }
      offset += 1
    }
  }

  private mutating func header() throws(TOMLError) -> TOMLNames.Table {
    offset += 1
    guard byte != UInt8(ascii: "[") else {
      throw error("arrays of tables are not supported (write [name])")
    }
    let path = try key(in: [])
    guard byte == UInt8(ascii: "]") else { throw error("']' is missing after a table's name") }
    offset += 1
    do throws(TOMLNames.Conflict) {
      return try names.open(path)
    } catch {
      throw self.error(error.reason)
    }
  }

  private mutating func pair(in table: TOMLNames.Table) throws(TOMLError) {
    let line = line
    let path = try key(in: table.path)
    guard byte == UInt8(ascii: "=") else {
      throw error("'=' is missing after \(TOMLNames.shown(path))")
    }
    offset += 1
    skipBlanks()
    let isTable = byte == UInt8(ascii: "{")
    let place: TOMLNames.Table
    do throws(TOMLNames.Conflict) {
      place = try names.add(path, to: table, isTable: isTable)
    } catch {
      throw self.error(error.reason)
    }
    if isTable { return try inlineTable(place) }
    entries.append(TOMLEntry(path: path, value: try value(), line: line))
  }

  private mutating func inlineTable(_ table: TOMLNames.Table) throws(TOMLError) {
    try enter()
    offset += 1
    skipBlanks()
    if byte != UInt8(ascii: "}") {
      while true {
        try checkInside("the { } of \(TOMLNames.shown(table.path))")
        try pair(in: table)
        skipBlanks()
        guard byte == UInt8(ascii: ",") else { break }
        offset += 1
        skipBlanks()
        guard byte != UInt8(ascii: "}") else {
          throw error("',' is not allowed before '}' (delete it)")
        }
      }
      try checkInside("the { } of \(TOMLNames.shown(table.path))")
      guard byte == UInt8(ascii: "}") else { throw error("',' or '}' is missing here") }
    }
    offset += 1
    depth -= 1
  }

  /// Throws an error at the end of a line or a comment, which a table in braces must not contain.
  private func checkInside(_ place: String) throws(TOMLError) {
    switch byte {
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"):
      throw error("\(place) must end on its line (write a [table] for several lines)")
    default: break
    }
  }

  private mutating func enter() throws(TOMLError) {
    depth += 1
    guard depth <= Self.deepest else { throw error("nested deeper than \(Self.deepest) levels") }
  }

  // MARK: Keys

  /// Reads a key and the blanks around its parts, and returns it appended to the path of a table.
  private mutating func key(in table: [String]) throws(TOMLError) -> [String] {
    var path = table
    repeat {
      if path.count > table.count { offset += 1 }
      skipBlanks()
      path.append(try keyPart())
      guard path.count <= Self.deepest else {
        throw error("a key has more than \(Self.deepest) parts")
      }
      skipBlanks()
    } while byte == UInt8(ascii: ".")
    return path
  }

  private mutating func keyPart() throws(TOMLError) -> String {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard !isNext("\"\"\""), !isNext("'''") else {
        throw error("a key cannot span several lines (use one quotation mark on each side)")
      }
      return try byte == UInt8(ascii: "'") ? literal() : quoted()
    default:
      let start = offset
      while let byte, Self.isBare(byte) { offset += 1 }
      guard offset > start else { throw error("a name is missing here\(unusualHint)") }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
  }

  /// Advice for a name with a character that must be in quotation marks.
  private var unusualHint: String {
    guard let byte, byte >= 0x80 else { return "" }
    return " (names with letters other than a to z need quotation marks)"
  }

  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Values

  private mutating func value() throws(TOMLError) -> TOMLValue {
    switch byte {
    case UInt8(ascii: "\""): return .text(try isNext("\"\"\"") ? longQuoted() : quoted())
    case UInt8(ascii: "'"): return .text(try isNext("'''") ? longLiteral() : literal())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "{"): throw error("tables in arrays are not supported")
    default: return try word()
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
      guard byte == UInt8(ascii: ",") else { throw error("',' or ']' is missing in the array") }
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
      case nil: throw error("']' is missing at the array's end")
      default: return
      }
    }
  }

  /// Reads a number or a Boolean.
  private mutating func word() throws(TOMLError) -> TOMLValue {
    let start = offset
    while let byte, Self.isBare(byte) || "+.:".utf8.contains(byte) { offset += 1 }
    let word = String(decoding: bytes[start..<offset], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "": throw error("a value is missing \(depth > 0 ? "here" : "after '='")")
    default: break
    }
    if let value = TOMLNumber.value(word) { return value }
    throw error("\(word): \(TOMLNumber.fault(of: word))")
  }
}
