// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The text of a flag, read as one thing or another; an error names the flag.
struct FlagText {
  let flag: String
  let text: String

  init(_ flag: String, _ text: String) {
    self.flag = flag
    self.text = text
  }

  /// Reads the text.
  ///
  /// - Throws: `Failure` with the flag, its text and what is wrong with it.
  func read<Value>(_ parse: (String) throws(TimeError) -> Value) throws(Failure) -> Value {
    do {
      return try parse(text)
    } catch {
      throw Failure(.usage, "\(flag) \(text): \(error)")
    }
  }

  /// A frame rate: `25`, `29.97df`.
  func frameRate() throws(Failure) -> FrameRate {
    try read { text throws(TimeError) in try FrameRate(parsing: text) }
  }

  /// A label, in whatever rate it will be counted.
  func label() throws(Failure) -> GivenValue<TimecodeText> {
    let label = try read { text throws(TimeError) in try TimecodeText(parsing: text) }
    return GivenValue(flag: self, value: label)
  }

  /// A time; a bare number counts what is said.
  func time(as format: TimeFormat) throws(Failure) -> TimeExpression {
    try read { text throws(TimeError) in try TimeExpression(text, as: format) }
  }

  /// A tempo, in beats per minute where no unit is written.
  func tempo() throws(Failure) -> GivenTempo {
    let hasUnit = text.contains { $0.isLetter }
    return try read { text throws(TimeError) in
      let expression = try TimeExpression(hasUnit ? text : text + "bpm")
      guard case .tempo(let length) = expression.value else { throw .badTempo(text) }
      return try GivenTempo(length)
    }
  }

  /// A meter: `7/8`.
  func meter() throws(Failure) -> TimeSignature {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) else {
      throw Failure(.usage, "\(flag) \(text): a meter is written 7/8")
    }
    return try read { _ throws(TimeError) in
      try TimeSignature(numerator: numerator, denominator: denominator)
    }
  }
}

/// What a flag gives, with its text: what is wrong with it may show only beside other flags.
struct GivenValue<Value> {
  let flag: FlagText
  let value: Value
}

/// A tempo as it was given, also between two that a map can hold.
struct GivenTempo {
  /// Microseconds a quarter note.
  let length: Ratio
  /// The nearest that a map holds, to 10 ns a quarter note.
  let tempo: Tempo
  let isExact: Bool

  init(_ length: Ratio) throws(TimeError) {
    let tempo = try Tempo.beatsPerMinute(60_000_000 / length, rounding: .nearest)
    (self.length, self.tempo, isExact) = (length, tempo.value, tempo.isExact)
  }
}
