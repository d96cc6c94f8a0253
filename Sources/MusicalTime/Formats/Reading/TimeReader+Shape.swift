// SPDX-License-Identifier: Apache-2.0

/// The punctuation of a text, which determines its format.
struct TimeShape {
  var bars = 0
  var colons = 0
  var semicolons = 0
  var points = 0
  var slashes = 0
  /// The offset of the `@` before a rate, or the end of the text.
  var end = 0

  var separators: Int { colons + semicolons }
}

extension TimeReader {
  /// Counts the punctuation up to an `@`.
  func shape() -> TimeShape {
    var shape = TimeShape()
    var index = position
    while index < end {
      let byte = bytes[index]
      if byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") {
        switch byte {
        case UInt8(ascii: "|"): shape.bars += 1
        case UInt8(ascii: ":"): shape.colons += 1
        case UInt8(ascii: ";"): shape.semicolons += 1
        case UInt8(ascii: "."), UInt8(ascii: ","): shape.points += 1
        case UInt8(ascii: "/"): shape.slashes += 1
        case UInt8(ascii: "@"):
          shape.end = index
          return shape
        default: break
        }
      }
      index += 1
    }
    shape.end = end
    return shape
  }

  /// Reads the whole text as an expression.
  mutating func expression(as format: TimeFormat?) throws(TimeError) -> TimeExpression.Value {
    guard end > 0 else { throw malformed("a time is missing") }
    if take(UInt8(ascii: "@")) {
      guard !isAtEnd else { throw malformed("a marker name is missing after '@'") }
      return .marker(text(position, end))
    }
    if end == 3, take("now") { return .now }
    if let bar = try bar() { return bar }
    if let prefix = try prefix() { return try value(as: prefix) }
    if let format { return try value(as: format) }
    return try undeclaredValue()
  }

  /// Reads the name of a format before a colon; nil if the text does not begin with a letter.
  private mutating func prefix() throws(TimeError) -> TimeFormat? {
    guard Self.isLetter(next) else { return nil }
    var colon = position
    while colon < end, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
    let name = text(position, colon)
    guard colon < end else {
      let part = colon - position == bytes.count ? "" : "'\(name)' is "
      throw malformed("\(part)not a time (try 1:30, 90s, bar 33 or @marker)")
    }
    guard let format = TimeFormat(name: name) else {
      throw malformed("'\(name)' is not a format (use \(TimeFormat.listOfPrefixes))")
    }
    position = colon + 1
    return format
  }

  /// Reads a value whose format follows from its punctuation.
  private mutating func undeclaredValue() throws(TimeError) -> TimeExpression.Value {
    let shape = shape()
    if shape.slashes == 1, shape.end == end, let quarters = try noteValue() {
      return .beats(quarters)
    }
    if shape.bars > 0 { return try barBeat(separator: UInt8(ascii: "|")) }
    if shape.separators == 3 { return try timecode() }
    if shape.separators > 3 { throw malformed("a time code must have four fields: hh:mm:ss:ff") }
    if shape.separators > 0 { return try clockOrShortLabel(shape) }
    if shape.points >= 2 { return try barBeat(separator: UInt8(ascii: ".")) }
    return try quantity(shape)
  }

  /// Reads two or three fields: a clock time, or a time code if a frame rate follows and a point
  /// precedes the last part.
  private mutating func clockOrShortLabel(_ shape: TimeShape) throws(TimeError)
    -> TimeExpression.Value
  {
    if shape.semicolons > 0 { throw malformed("a time code must have four fields: hh:mm:ss;ff") }
    if shape.end < end {
      if shape.separators == 2, shape.points == 1 { return try timecodeWithPoint() }
      throw TimeError.malformed(
        text: text, offset: shape.end,
        reason: "a clock time cannot have a rate; a time code must have four fields")
    }
    return .seconds(try clock())
  }

  /// Reads a value of a given format, in which a number needs no unit.
  private mutating func value(as format: TimeFormat) throws(TimeError) -> TimeExpression.Value {
    let shape = shape()
    switch format {
    case .barBeat:
      return try barBeat(separator: UInt8(ascii: shape.bars > 0 ? "|" : "."))
    case .timecode:
      return try shape.separators == 2 ? timecodeWithPoint() : timecode()
    case .clock, .seconds, .milliseconds, .microseconds, .nanoseconds:
      if shape.separators > 0 { return .seconds(try clock()) }
      return try quantity(shape, as: format)
    default: return try quantity(shape, as: format)
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}
