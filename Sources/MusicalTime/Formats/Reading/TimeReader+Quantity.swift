// SPDX-License-Identifier: Apache-2.0

/// The unit of a number, which is given by the letters after it.
enum TimeUnit {
  case hours, minutes, seconds, milliseconds, microseconds, nanoseconds
  case bars, beats, ticks, frames, samples, beatsPerMinute, microsecondsPerQuarter, midiClocks

  /// The length of the unit in seconds; nil if it is not a unit of clock time.
  var seconds: Ratio? {
    switch self {
    case .hours: 3600
    case .minutes: 60
    case .seconds: 1
    case .milliseconds: Ratio(1, over: 1000)
    case .microseconds: Ratio(1, over: 1_000_000)
    case .nanoseconds: Ratio(1, over: 1_000_000_000)
    default: nil
    }
  }

  /// The number of these units in the next larger unit; nil if it is not a unit of clock time.
  var limit: Ratio? {
    switch self {
    case .minutes, .seconds: 60
    case .milliseconds, .microseconds, .nanoseconds: 1000
    default: nil
    }
  }
}

extension TimeReader {
  /// Reads a number with its unit, a sequence of clock units, or a bare number of a given format.
  mutating func quantity(
    _ shape: TimeShape, as format: TimeFormat? = nil
  ) throws(TimeError) -> TimeExpression.Value {
    end = shape.end
    let isNegative = take(UInt8(ascii: "-"))
    let magnitude = try number()
    let number = isNegative ? -magnitude : magnitude
    skipSpaces(before: { Self.isUnitStart($0) || $0 == UInt8(ascii: "%") })
    if take(UInt8(ascii: "%")) {
      try expectEnd("unexpected text after '%'")
      return .portion(try number / 100)
    }
    if isAtEnd {
      if let format { return try value(number, as: format) }
      if shape.end < bytes.count { return .samples(number, try rateOfSamples()) }
      if let bareFormat { return try value(number, as: bareFormat) }
      throw unitMissing(shape)
    }
    let word = position
    guard let unit = unit() else { throw malformed("unknown unit '\(text(word, end))'") }
    let value = try value(number, in: unit, isNegative)
    guard format?.admits(value) ?? true else {
      throw malformed("the unit does not fit the format")
    }
    return value
  }

  /// Reads the value of a number and its unit, with the smaller units or the rate that may follow.
  private mutating func value(
    _ number: Ratio, in unit: TimeUnit, _ isNegative: Bool
  ) throws(TimeError) -> TimeExpression.Value {
    switch unit {
    case .bars:
      guard isAtEnd else {
        throw malformed("unexpected text after bars (write bar 2, or 2bars + 1b for a length)")
      }
      return try ended(try bars(number))
    case .beats: return try ended(.beats(number))
    case .midiClocks: return try ended(.beats(number / 24))
    case .ticks: return .ticks(number, try rateOfTicks())
    case .frames: return .frames(number, try rateOfFrames())
    case .samples: return .samples(number, try rateOfSamples())
    case .beatsPerMinute:
      guard number > 0 else { throw .badTempo(text) }
      return try ended(.tempo(60_000_000 / number))
    case .microsecondsPerQuarter:
      guard number > 0 else { throw .badTempo(text) }
      return try ended(.tempo(number))
    default:
      let seconds = try clockUnits(number, unit, isNegative)
      return try ended(.seconds(seconds))
    }
  }

  /// Whole bars: a length, or a position that far after the start.
  private func bars(_ number: Ratio) throws(TimeError) -> TimeExpression.Value {
    guard number.isInteger, let count = Int32(exactly: abs(number.numerator)) else {
      throw malformed("bars must be whole numbers (write 2 bars and 3 beats as 2bars + 3b)")
    }
    let length = TimeExpression.Value.barBeat(bar: count, beat: 0, subbeat: 0, divisor: nil)
    if isLength, number >= 0 { return length }
    guard !isLength else { throw malformed("a length cannot be negative (write - 4bars)") }
    return .sum([.init(.beats(0)), .init(length, isNegative: number < 0)])
  }

  /// Clock units, each smaller than the one before: `1h2m3.5s`.
  private mutating func clockUnits(
    _ number: Ratio, _ unit: TimeUnit, _ isNegative: Bool
  ) throws(TimeError) -> Ratio {
    guard var size = unit.seconds else { throw malformed("not a unit of clock time") }
    var sum = isAtEnd && size == 1 ? number : try number * size
    while !isAtEnd {
      skipSpaces(before: { $0 &- UInt8(ascii: "0") < 10 })
      let start = position
      let part = try self.number()
      skipSpaces(before: Self.isUnitStart)
      guard !isAtEnd else {
        throw .missingUnit(text: text, candidates: [text + "s", text + "ms"])
      }
      guard let unit = self.unit(), let partSize = unit.seconds, partSize < size else {
        throw malformed("units must get smaller: h, m, s, ms, us, ns")
      }
      guard let limit = unit.limit, part < limit else {
        throw .fieldOutOfRange(
          field: "part", value: text(start, position),
          range: "less than one unit of the part before it")
      }
      sum = try sum + (isNegative ? -part : part) * partSize
      size = partSize
    }
    return sum
  }

  /// Skips spaces if a byte of the given type follows them.
  private mutating func skipSpaces(before isNext: (UInt8) -> Bool) {
    var index = position
    while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
    if index < end, isNext(bytes[index]) { position = index }
  }

  /// Returns true for a letter or the first byte of a µ.
  private static func isUnitStart(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }

  private func ended(
    _ value: TimeExpression.Value
  ) throws(TimeError) -> TimeExpression.Value {
    guard isAtEnd, end == bytes.count else { throw malformed("unexpected text after the unit") }
    return value
  }
}

extension TimeReader {
  /// Reads the rest of a bare number of a given format.
  private mutating func value(
    _ number: Ratio, as format: TimeFormat
  ) throws(TimeError) -> TimeExpression.Value {
    switch format {
    case .barBeat, .timecode: throw malformed("the value does not fit the format")
    case .ticks: return .ticks(number, try rateOfTicks())
    case .frames: return .frames(number, try rateOfFrames())
    case .samples: return .samples(number, try rateOfSamples())
    case .beats: return try ended(.beats(number))
    case .hostTime: return try ended(.hostTime(number))
    case .midiClocks: return try ended(.beats(number / 24))
    case .songPosition:
      guard number.isInteger, number >= 0, number < 16384 else {
        throw .fieldOutOfRange(field: "song position", value: "\(number)", range: "0…16383")
      }
      return try ended(.beats(number / 4))
    case .clock, .seconds: return try ended(.seconds(number))
    case .milliseconds: return try ended(.seconds(number / 1000))
    case .microseconds: return try ended(.seconds(number / 1_000_000))
    case .nanoseconds: return try ended(.seconds(number / 1_000_000_000))
    }
  }

  /// Moves past the end of the number to the rate after `@`; false if it is missing.
  private mutating func atRate() -> Bool {
    guard isAtEnd, end < bytes.count else { return false }
    end = bytes.count
    position += 1
    return true
  }

  private mutating func rateOfSamples() throws(TimeError) -> SampleRate? {
    if atRate() { return try sampleRate() }
    try expectEnd("only @rate can follow samples: 48000@48k")
    return nil
  }

  private mutating func rateOfTicks() throws(TimeError) -> PPQN? {
    if atRate() { return try resolution() }
    try expectEnd("only @ppq can follow ticks: 1920t@480")
    return nil
  }

  private mutating func rateOfFrames() throws(TimeError) -> FrameRate? {
    if atRate() { return try frameRate() }
    try expectEnd("only @rate can follow frames: 100f@25")
    return nil
  }

  /// The error for a number that could have several units.
  private func unitMissing(_ shape: TimeShape) -> TimeError {
    let text = text
    if shape.points > 0 {
      return .ambiguous(text: text, candidates: ["\(text)s", "\(text)b", "bbt:\(text)"])
    }
    return .missingUnit(text: text, candidates: ["\(text)s", "\(text)beats", "\(text)bars"])
  }
}

extension TimeFormat {
  /// Returns whether a value with its own unit has this format.
  func admits(_ value: TimeExpression.Value) -> Bool {
    switch (self, value) {
    case (.beats, .beats), (.ticks, .ticks), (.samples, .samples), (.frames, .frames),
      (.midiClocks, .beats):
      true
    case (.clock, .seconds), (.seconds, .seconds), (.milliseconds, .seconds),
      (.microseconds, .seconds), (.nanoseconds, .seconds):
      true
    default: false
    }
  }
}
