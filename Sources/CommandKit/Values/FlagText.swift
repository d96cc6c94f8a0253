// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The text of a flag, read as one thing or another; an error names the flag.
package struct FlagText {
  package let flag: String
  package let text: String
  /// The part of the file that the text names, for messages: `tracks 99`.
  private let part: String?

  /// Creates the text of a flag.
  ///
  /// - Parameters:
  ///   - flag: The flag.
  ///   - text: The text as it was typed.
  ///   - part: The part of the file that the text names; nil for the text itself.
  package init(_ flag: String, _ text: String, part: String? = nil) {
    self.flag = flag
    self.text = text
    self.part = part
  }

  /// Reads the text.
  ///
  /// - Throws: `Failure` with the flag, its text and what is wrong with it.
  package func read<Value>(_ parse: (String) throws(TimeError) -> Value) throws(Failure) -> Value {
    do {
      return try parse(text)
    } catch {
      throw failure("\(error)")
    }
  }

  /// The error in the text, with exit status 64.
  ///
  /// - Parameter reason: What is wrong with the text.
  /// - Returns: A failure that names the flag and its text before the reason.
  package func failure(_ reason: String) -> Failure {
    let reason = part.map { "\($0): \(reason)" } ?? reason
    return Failure(
      .usage, RefusedValue(text, of: flag, because: reason).sentence, options: [flag])
  }

  /// A frame rate: `25`, `29.97df`.
  package func frameRate() throws(Failure) -> FrameRate {
    try read { text throws(TimeError) in try FrameRate(parsing: text) }
  }

  /// A sample rate: `48000`, `44.1k`.
  package func sampleRate() throws(Failure) -> SampleRate {
    do {
      return try SampleRate(parsing: text)
    } catch .fieldOutOfRange(_, _, let range) {
      throw failure("not a sample rate (allowed: \(range))")
    } catch {
      throw failure("not a sample rate (try 48000 or 44.1k)")
    }
  }

  /// Refuses a text without the separators of a label.
  ///
  /// - Throws: `Failure` with an example.
  package func requireLabel() throws(Failure) {
    guard text.contains(":") || text.contains(";") else {
      throw failure("not a time code (try 01:00:00:00)")
    }
  }

  /// A label, in whatever rate it will be counted.
  package func label() throws(Failure) -> GivenValue<TimecodeText> {
    try requireLabel()
    let label = try read { text throws(TimeError) in try TimecodeText(parsing: text) }
    return GivenValue(flag: self, value: label)
  }

  /// A time; a bare number counts what is said.
  package func time(as format: TimeFormat) throws(Failure) -> TimeExpression {
    try read { text throws(TimeError) in try TimeExpression(text, as: format) }
  }

  /// A tempo, in beats per minute where no unit is written.
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

  /// A meter: `7/8`.
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

/// What a flag gives, with its text: what is wrong with it may show only beside other flags.
package struct GivenValue<Value> {
  package let flag: FlagText
  package let value: Value

  /// Creates it from its parts.
  package init(flag: FlagText, value: Value) {
    self.flag = flag
    self.value = value
  }
}

/// A tempo as it was given, also between two that a map can hold.
package struct GivenTempo {
  /// Microseconds a quarter note.
  package let length: Ratio
  /// The nearest that a map holds, to 10 ns a quarter note.
  package let tempo: Tempo
  package let isExact: Bool

  package init(_ length: Ratio) throws(TimeError) {
    let tempo = try Tempo.beatsPerMinute(60_000_000 / length, rounding: .nearest)
    (self.length, self.tempo, isExact) = (length, tempo.value, tempo.isExact)
  }
}
