// SPDX-License-Identifier: Apache-2.0

/// A reader of the text of one time: its bytes and the position of the next one.
struct TimeReader: ~Escapable {
  let bytes: Span<UInt8>
  var position = 0
  /// The end of the part to be read, for example the position of an `@`.
  var end: Int
  /// True for a length, in which bars and beats count from 0.
  var isLength = false
  /// The format of a number without a unit; nil makes it an error.
  var bareFormat: TimeFormat?

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    end = bytes.count
  }

  /// The next byte, or 0 at the end; a time never contains a byte 0.
  var next: UInt8 { position < end ? bytes[position] : 0 }

  var isAtEnd: Bool { position == end }

  /// The whole text, for an error message.
  var text: String { text(0, bytes.count) }

  func text(_ start: Int, _ end: Int) -> String {
    var copy: [UInt8] = []
    for index in start..<end { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips a word in upper or lower case and returns true; false if the next bytes differ.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count else { return false }
    let isWord = word.withUTF8Buffer { letters in
      for offset in 0..<count {
        let byte = bytes[position + offset]
        let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        if unsafe (isCapital ? byte | 0x20 : byte) != letters[offset] { return false }
      }
      return true
    }
    if isWord { position += count }
    return isWord
  }

  func malformed(_ reason: String) -> TimeError {
    .malformed(text: text, offset: position, reason: reason)
  }

  func expectEnd(_ reason: @autoclosure () -> String) throws(TimeError) {
    guard isAtEnd else { throw malformed(reason()) }
  }
}

extension TimeReader {
  /// Reads an unsigned decimal integer of at most 18 digits.
  mutating func integer(_ field: @autoclosure () -> String) throws(TimeError) -> Int64 {
    let start = position
    var value: Int64 = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      guard position - start < 18 else { throw .overflow(text) }
      value = value &* 10 &+ Int64(digit)
      position += 1
    }
    guard position > start else { throw malformed("\(field()) must be a number") }
    return value
  }

  /// Reads an unsigned number: `12`, `12.5`, `.5`, `1001/30000`.
  mutating func number() throws(TimeError) -> Ratio {
    let number = try decimal()
    guard next == UInt8(ascii: "/"), position + 1 < end,
      bytes[position + 1] &- UInt8(ascii: "0") < 10
    else { return number }
    position += 1
    let divisor = try integer("the denominator")
    return try number / Ratio(divisor)
  }

  /// Reads an unsigned decimal number: `12`, `12.5`, `.5`.
  mutating func decimal() throws(TimeError) -> Ratio {
    let start = position
    var value: Int64 = 0
    var scale: Int64 = 1
    var hasPoint = false
    var digits = 0
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      if digit < 10 {
        guard digits < 18 else {
          position = start
          return try wideDecimal()
        }
        value = value &* 10 &+ Int64(digit)
        if hasPoint { scale = scale &* 10 }
        digits += 1
      } else if bytes[position] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      position += 1
    }
    guard digits > 0 else {
      let hasSign = next == UInt8(ascii: "+")
      throw malformed(hasSign ? "expected a number without +" : "expected a number")
    }
    return hasPoint ? Ratio(value, over: scale) : Ratio(value)
  }

  /// Reads a decimal number of up to 38 digits.
  private mutating func wideDecimal() throws(TimeError) -> Ratio {
    var value: Int128 = 0
    var scale: Int128 = 1
    var hasPoint = false
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      if digit < 10 {
        value = try add(multiply(value, 10), Int128(digit))
        if hasPoint { scale = try multiply(scale, 10) }
      } else if bytes[position] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      position += 1
    }
    return try Ratio(exactly: value, over: scale)
  }
}
