// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The text of an option, with methods that read it; errors name the option.
package struct FlagText {
  package let flag: String
  package let text: String
  /// The part of the file that the text names, for messages: `tracks 99`.
  private let part: String?

  /// Creates the text of an option.
  ///
  /// - Parameters:
  ///   - flag: The option.
  ///   - text: The text as it was typed.
  ///   - part: The part of the file that the text names; nil, the default, for the text itself.
  package init(_ flag: String, _ text: String, part: String? = nil) {
    self.flag = flag
    self.text = text
    self.part = part
  }

  /// Reads the text.
  ///
  /// - Throws: `Failure` with the option, its text and the reason.
  package func read<Value>(_ parse: (String) throws(TimeError) -> Value) throws(Failure) -> Value {
    do {
      return try parse(text)
    } catch {
      throw failure("\(error)")
    }
  }

  /// Creates the error for the text, with exit status 64.
  ///
  /// - Parameter reason: The reason why the text is not valid.
  /// - Returns: A failure with the option, its text and the reason.
  package func failure(_ reason: String) -> Failure {
    let reason = part.map { "\($0): \(reason)" } ?? reason
    return Failure(
      .usage, RefusedValue(text, of: flag, because: reason).sentence, options: [flag])
  }

  /// Reads a frame rate: `25`, `29.97df`.
  package func frameRate() throws(Failure) -> FrameRate {
    try read { text throws(TimeError) in try FrameRate(parsing: text) }
  }

  /// Reads a sample rate: `48000`, `44.1k`.
  package func sampleRate() throws(Failure) -> SampleRate {
    do {
      return try SampleRate(parsing: text)
    } catch .fieldOutOfRange(_, _, let range) {
      throw failure("not a sample rate (allowed: \(range))")
    } catch {
      throw failure("not a sample rate (try 48000 or 44.1k)")
    }
  }

  /// Throws if the text does not contain the separators of a time code.
  ///
  /// - Throws: `Failure` with an example.
  package func requireLabel() throws(Failure) {
    guard text.contains(":") || text.contains(";") else {
      throw failure("not a time code (try 01:00:00:00)")
    }
  }

  /// Reads a time code, for any frame rate.
  package func label() throws(Failure) -> GivenValue<TimecodeText> {
    try requireLabel()
    let label = try read { text throws(TimeError) in try TimecodeText(parsing: text) }
    return GivenValue(flag: self, value: label)
  }

  /// Reads a time; a number without a unit is in the given format.
  package func time(as format: TimeFormat) throws(Failure) -> TimeExpression {
    try read { text throws(TimeError) in try TimeExpression(text, as: format) }
  }

  /// Reads a tempo; a number without a unit is in beats per minute.
  package func tempo() throws(Failure) -> GivenTempo {
    let hasUnit = text.contains { $0.isLetter }
    do throws(TimeError) {
      let expression = try TimeExpression(hasUnit ? text : text + "bpm")
      guard case .tempo(let length) = expression.value else { throw .missingContext("a tempo") }
      return try GivenTempo(length)
    } catch .badTempo, .zeroDenominator, .overflow {
      throw failure("out of range (allowed: quarter notes of 10 ns…42.9 s)")
    } catch {
      throw failure("not a tempo (try 120, 120bpm or 500000us/q)")
    }
  }

  /// Reads a meter: `7/8`.
  package func meter() throws(Failure) -> TimeSignature {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) else {
      throw failure("not a meter (try 7/8)")
    }
    return try read { _ throws(TimeError) in
      try TimeSignature(numerator: numerator, denominator: denominator)
    }
  }
}

/// The value of an option with its text, for errors that are found later, together with other
/// options.
package struct GivenValue<Value> {
  package let flag: FlagText
  package let value: Value

  /// Creates a value.
  package init(flag: FlagText, value: Value) {
    self.flag = flag
    self.value = value
  }
}

/// A tempo as it was typed, which may lie between two tempi that a map can store.
package struct GivenTempo {
  /// Microseconds per quarter note.
  package let length: Ratio
  /// The nearest tempo that a map can store, to 10 ns per quarter note.
  package let tempo: Tempo
  package let isExact: Bool

  package init(_ length: Ratio) throws(TimeError) {
    let tempo = try Tempo.beatsPerMinute(60_000_000 / length, rounding: .nearest)
    (self.length, self.tempo, isExact) = (length, tempo.value, tempo.isExact)
  }
}
