// SPDX-License-Identifier: Apache-2.0

extension TimeReader {
  /// Reads the whole text: a time, or a time and lengths after ` + ` and ` - `.
  mutating func sum(as format: TimeFormat?) throws(TimeError) -> TimeExpression.Value {
    guard var sign = sign(from: 0) else { return try expression(as: format) }
    // A marker's name may contain ` - `. If the rest is not a length, it belongs to the name.
    let rest: [TimeExpression.Term]
    do {
      rest = try lengths(from: &sign, as: format)
    } catch {
      guard bytes[0] == UInt8(ascii: "@") else { throw error }
      return try expression(as: format)
    }
    var first = TimeReader(bytes.extracting(0..<sign))
    first.bareFormat = bareFormat
    return .sum(TimeExpression(try first.expression(as: format)).terms + rest)
  }

  /// Reads the lengths from the first sign to the end.
  private func lengths(
    from sign: inout Int, as format: TimeFormat?
  ) throws(TimeError) -> [TimeExpression.Term] {
    var terms: [TimeExpression.Term] = []
    var place: Int? = sign
    while let start = place {
      let next = self.sign(from: start + 3)
      var reader = TimeReader(bytes.extracting((start + 3)..<(next ?? bytes.count)))
      reader.isLength = true
      reader.bareFormat = bareFormat
      terms.append(
        TimeExpression.Term(
          try reader.expression(as: format), isNegative: bytes[start + 1] == UInt8(ascii: "-")))
      place = next
    }
    return terms
  }

  /// The offset of the next ` + ` or ` - `.
  private func sign(from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.count {
      let byte = bytes[index + 1]
      if bytes[index] == 0x20, bytes[index + 2] == 0x20,
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      {
        return index
      }
      index += 1
    }
    return nil
  }
}

extension TimeReader {
  /// Reads a note value and returns quarter notes: `1/8`, `3/16`, `1/8.`, `1/8d`, `1/4t`; nil if
  /// the text is not a note value.
  ///
  /// A dot or `d` adds half of the note's length, and each further dot half of the previous
  /// addition. Three triplet notes have the length of two plain notes.
  mutating func noteValue() throws(TimeError) -> Ratio? {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    guard let count = plainInteger(), take(UInt8(ascii: "/")), let part = plainInteger(),
      part > 0, part & (part - 1) == 0, let factor = noteFactor(), isAtEnd
    else {
      position = start
      return nil
    }
    let quarters = try Ratio(count, over: part) * 4 * factor
    return isNegative ? -quarters : quarters
  }

  /// The factor of dots or of the letter of a triplet.
  private mutating func noteFactor() -> Ratio? {
    if take("t") { return Ratio(2, over: 3) }
    if take("d") { return Ratio(3, over: 2) }
    var dots: Int64 = 0
    while take(UInt8(ascii: ".")) { dots += 1 }
    // A note of 1 with n dots lasts 2 − 2⁻ⁿ.
    return dots < 16 ? Ratio((2 << dots) - 1, over: 1 << dots) : nil
  }

  /// Reads an integer of at most nine digits; nil if the next byte is not a digit.
  private mutating func plainInteger() -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 {
      value = value &* 10 &+ Int64(bytes[position] &- UInt8(ascii: "0"))
      position += 1
    }
    return (1...9).contains(position - start) ? value : nil
  }
}
