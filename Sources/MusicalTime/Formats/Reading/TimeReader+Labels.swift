// SPDX-License-Identifier: Apache-2.0

extension TimeReader {
  /// `bar|beat|subbeat/divisor`, every field after the bar optional.
  mutating func barBeat(separator: UInt8) throws(TimeError) -> TimeExpression.Value {
    let isNegative = take(UInt8(ascii: "-"))
    let bar = try integer("the bar")
    guard let bar = Int32(exactly: isNegative ? -bar : bar) else { throw .overflow("bars") }
    var beat: UInt16 = isLength ? 0 : 1
    var subbeat: UInt16 = 0
    var divisor: UInt16?
    if take(separator) {
      beat = try field("beat", (isLength ? 0 : 1)...65535)
      if take(separator) {
        subbeat = try field("subbeat", 0...65535)
        if take(UInt8(ascii: "/")) { divisor = try field("subbeat divisor", 1...65535) }
      }
    }
    try expectEnd("write a position as bar, beat, subbeat: 12|3|240 or 12|3|240/480")
    return .barBeat(bar: bar, beat: beat, subbeat: subbeat, divisor: divisor)
  }

  private mutating func field(
    _ name: String, _ range: ClosedRange<Int64>
  ) throws(TimeError) -> UInt16 {
    let value = try integer("the \(name)")
    if name == "beat", value == 0, !isLength { throw .beatBelowOne(text) }
    guard range.contains(value) else {
      throw .fieldOutOfRange(
        field: name, value: "\(value)", range: "\(range.lowerBound)…\(range.upperBound)")
    }
    return UInt16(value)
  }
}

extension TimeReader {
  /// Reads a bar, or a bar and beat, which count from 1: `bar 33`, `bar33` or `bar 33 beat 2`.
  ///
  /// Returns nil if the text does not begin with `bar` and a number.
  mutating func bar() throws(TimeError) -> TimeExpression.Value? {
    guard let bar = try count(after: "bar") else { return nil }
    guard !isLength else { throw malformed("'bar' is a position (write a length as 4bars)") }
    guard let bar = Int32(exactly: bar) else { throw .overflow("bars") }
    let beat = take(UInt8(ascii: " ")) ? try count(after: "beat") : 1
    guard let beat, isAtEnd else { throw malformed("only a beat can follow a bar: bar 33 beat 2") }
    guard beat > 0 else { throw .beatBelowOne(text) }
    guard let beat = UInt16(exactly: beat) else {
      throw .fieldOutOfRange(field: "beat", value: "\(beat)", range: "1…65535")
    }
    return .barBeat(bar: bar, beat: beat, subbeat: 0, divisor: nil)
  }

  /// Reads the number after a word, with or without a space; nil if the text is different.
  private mutating func count(after word: StaticString) throws(TimeError) -> Int64? {
    let start = position
    guard take(word), take(UInt8(ascii: " ")) || next &- UInt8(ascii: "0") < 10 else {
      position = start
      return nil
    }
    return try integer("the text after '\(word)'")
  }
}

extension TimeReader {
  /// `hours:minutes:seconds` or `minutes:seconds`, the last with a fraction, in seconds.
  mutating func clock() throws(TimeError) -> Ratio {
    let isNegative = take(UInt8(ascii: "-"))
    let leading = try integer("hours or minutes")
    guard take(UInt8(ascii: ":")) else { throw malformed("':' must follow hours or minutes") }
    let start = position
    var whole = leading
    var last = try sixtieth("minutes or seconds")
    if take(UInt8(ascii: ":")) {
      whole = try times60(whole, plus: last)
      last = try sixtieth("seconds")
      try refuseMeasures(from: start)
    }
    whole = try times60(whole, plus: last)
    let seconds = try Ratio(whole) + fraction()
    try expectEnd("write a clock time as h:mm:ss or m:ss, with or without decimals")
    return isNegative ? -seconds : seconds
  }

  /// Reads a field of 0…59, the range of every field except the first.
  private mutating func sixtieth(_ name: String) throws(TimeError) -> Int64 {
    let value = try integer(name)
    guard value < 60 else {
      throw .fieldOutOfRange(
        field: name, value: "\(value)", range: "0…59, except in the first field")
    }
    return value
  }

  private func times60(_ value: Int64, plus rest: Int64) throws(TimeError) -> Int64 {
    let (product, past) = value.multipliedReportingOverflow(by: 60)
    let (sum, over) = product.addingReportingOverflow(rest)
    guard !past, !over else { throw .overflow(text) }
    return sum
  }

  /// Some sequencers write bars as `9:04:000`: text with three digits of seconds is not a clock
  /// time.
  private func refuseMeasures(from start: Int) throws(TimeError) {
    var digits = 0
    var index = position
    while index > start, bytes[index - 1] != UInt8(ascii: ":") {
      index -= 1
      digits += 1
    }
    guard digits > 2 else { return }
    var twin = ""
    for byte in text.utf8 { twin += byte == UInt8(ascii: ":") ? "." : String(UnicodeScalar(byte)) }
    throw .ambiguous(text: text, candidates: [twin, "a clock time with two-digit seconds"])
  }

  private mutating func fraction() throws(TimeError) -> Ratio {
    guard next == UInt8(ascii: ".") else { return .zero }
    return try decimal()
  }
}

extension TimeReader {
  /// `[-][D ]hh:mm:ss:ff[.subframes[/base]][@rate]`, with `;` for drop.
  func timecode() throws(TimeError) -> TimeExpression.Value {
    .timecode(try TimecodeText(parsing: bytes.extracting(position..<end)))
  }

  /// A time code with `.` or `,` before the frames, as some programs write it.
  func timecodeWithPoint() throws(TimeError) -> TimeExpression.Value {
    var copy: [UInt8] = []
    var isRate = false
    for index in position..<end {
      let byte = bytes[index]
      isRate = isRate || byte == UInt8(ascii: "@")
      let isPoint = byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
      copy.append(isPoint && !isRate ? UInt8(ascii: ":") : byte)
    }
    return .timecode(try TimecodeText(parsing: copy.span))
  }
}
