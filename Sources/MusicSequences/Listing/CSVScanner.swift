// SPDX-License-Identifier: Apache-2.0

/// The position of one field of a row, without surrounding spaces and quotation marks.
struct CSVField {
  let range: Range<Int>
  let isQuoted: Bool

  /// The integer that the field contains, or nil if it contains anything else.
  func number(in bytes: [UInt8]) -> Int? {
    var rest = bytes[range]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    guard (1...18).contains(rest.count) else { return nil }
    var value = 0
    for byte in rest {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return isNegative ? -value : value
  }

  /// The bytes of a text.
  ///
  /// Doubled quotation marks and backslashes become one; `\012` is an octal byte.
  func text(in bytes: [UInt8]) -> [UInt8] {
    guard isQuoted else { return Array(bytes[range]) }
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      let next = index + 1 < range.upperBound ? bytes[index + 1] : 0
      if byte == UInt8(ascii: "\\"), let code = octal(in: bytes, at: index + 1) {
        text.append(code)
        index += 4
      } else {
        let isPair = next == byte && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"))
        text.append(byte)
        index += isPair ? 2 : 1
      }
    }
    return text
  }

  private func octal(in bytes: [UInt8], at start: Int) -> UInt8? {
    guard start + 3 <= range.upperBound else { return nil }
    var value = 0
    for byte in bytes[start..<start + 3] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 8 else { return nil }
      value = value << 3 | Int(digit)
    }
    return UInt8(exactly: value)
  }
}

/// Finds the fields of one line.
struct CSVScanner {
  private let bytes: [UInt8]
  private var position: Int
  private var isFirst = true

  init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// True for a comment, which begins with `#` or `;`.
  var isComment: Bool {
    position < bytes.count
      && (bytes[position] == UInt8(ascii: "#") || bytes[position] == UInt8(ascii: ";"))
  }

  /// The next field of the line, or nil at its end.
  mutating func field() throws(SequenceError) -> CSVField? {
    skipSpace()
    if isAtEnd { return nil }
    if !isFirst {
      guard bytes[position] == UInt8(ascii: ",") else {
        throw .outOfRange("a comma is missing after the closing quotation mark")
      }
      position += 1
      skipSpace()
    }
    isFirst = false
    return !isAtEnd && bytes[position] == UInt8(ascii: "\"") ? try quoted() : plain()
  }

  /// The position after the line.
  mutating func nextLine() -> Int {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    return position + 1
  }

  private var isAtEnd: Bool {
    position >= bytes.count || bytes[position] == UInt8(ascii: "\n")
  }

  private mutating func skipSpace() {
    while position < bytes.count,
      bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x0D
    {
      position += 1
    }
  }

  private mutating func plain() -> CSVField {
    let start = position
    while !isAtEnd, bytes[position] != UInt8(ascii: ",") { position += 1 }
    var end = position
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || bytes[end - 1] == 0x0D {
      end -= 1
    }
    return CSVField(range: start..<end, isQuoted: false)
  }

  private mutating func quoted() throws(SequenceError) -> CSVField {
    position += 1
    let start = position
    while !isAtEnd {
      guard bytes[position] == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      position += 1
      guard !isAtEnd, bytes[position] == UInt8(ascii: "\"") else {
        return CSVField(range: start..<position - 1, isQuoted: true)
      }
      position += 1
    }
    throw .outOfRange("a closing quotation mark is missing")
  }
}
