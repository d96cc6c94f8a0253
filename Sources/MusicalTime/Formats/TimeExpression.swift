// SPDX-License-Identifier: Apache-2.0

/// A time as text: the grammar of every command-line option that takes a time.
///
/// The punctuation determines the format. Text with two meanings is an error, which contains a
/// spelling for each meaning. The formats are:
///
/// - `12|3|240`, `12.3.240`, `12|3|240/480`: bar, beat, part of a beat; `bar 12`, `bar12`,
///   `bar 12 beat 3`.
/// - `16bars`: whole bars from the start, or as a length.
/// - `01:02:03:12`, `01:02:03;12`, `01:02:03:12.40/80@29.97df`: a time code; `;` means drop-frame.
/// - `3:25.5`, `1:02:03`: clock time.
/// - `3m25.5s`, `250ms`, `7ns`, `48000@48k`, `48000smp`, `1920t@480`, `4.5b`, `107892f@25`,
///   `125bpm`, `480000us/q`: a number with its unit, also with a space, as in `90 s`. The number
///   can be a fraction: `1001/30000s`.
/// - `sec:12.3`, `tick:1920`: a number after the name of its format.
/// - `1/8`, `1/8.`, `1/8d`, `1/4t`: a note value with dots (or `d` for one dot), or of a triplet: a
///   fraction of a whole note, whose denominator is a power of two.
/// - `50%` of a song, `@name` of a marker, `now` of a clock.
/// - `1:30 + 4|0|0`, `@chorus - 1/8`: a time, and lengths that are added or subtracted, with spaces
///   around the sign.
///
/// A length in bars, beats, note values, ticks or MIDI clocks depends on the position to which it
/// is added: first whole bars, to the same position in another bar, then beats of the meter at that
/// position. Its bars and beats count from 0: `4|0|0` is four bars. Any other length is a number of
/// seconds; a time code counts from 00:00:00:00, and a marker from the start of the song.
///
/// `|` and `;` have a meaning in shells; `12.3.240` and `01:02:03:12@29.97df` avoid them. A minus
/// sign at the start negates the whole time, except that in `-1|1|0` it belongs to the bar.
///
/// An expression does not depend on tempo, meter or rates. A `TimeContext` converts it to a
/// position.
public struct TimeExpression: Hashable, Sendable {
  /// The time as it was written.
  public let value: Value

  /// A time in the unit in which it was written.
  public enum Value: Hashable, Sendable {
    /// A bar, a beat and a part of a beat. If `divisor` is nil, the divisor of the context applies.
    case barBeat(bar: Int32, beat: UInt16, subbeat: UInt16, divisor: UInt16?)
    /// A time code.
    case timecode(TimecodeText)
    /// Seconds of media time.
    case seconds(Ratio)
    /// Sample frames, with a sample rate if one was written.
    case samples(Ratio, SampleRate?)
    /// Ticks, with their number per quarter note if it was written.
    case ticks(Ratio, PPQN?)
    /// Quarter notes.
    case beats(Ratio)
    /// Frames from the time code 00:00:00:00, with a frame rate if one was written.
    case frames(Ratio, FrameRate?)
    /// Nanoseconds of host time.
    case hostTime(Ratio)
    /// A tempo, in microseconds per quarter note.
    case tempo(Ratio)
    /// A part of the song's length, with 1 for the whole song.
    case portion(Ratio)
    /// The position of a marker with this name.
    case marker(String)
    /// The current position of a clock.
    case now
    /// A time, and lengths that are added or subtracted.
    case sum([Term])
  }

  /// A term of a sum.
  public struct Term: Hashable, Sendable {
    /// The position in the first term, the length in later ones.
    ///
    /// Bars and beats of a length count from 0.
    public let value: Value
    /// True if the length is subtracted.
    public let isNegative: Bool

    /// Creates a term.
    public init(_ value: Value, isNegative: Bool = false) {
      self.value = value
      self.isNegative = isNegative
    }
  }

  /// The terms of a sum; for any other time the value as the only term.
  public var terms: [Term] {
    if case .sum(let terms) = value { terms } else { [Term(value)] }
  }

  /// Creates an expression from a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - format: The format of the text, as if the text began with its name. With nil the
  ///     punctuation determines the format, and a number without a unit is an error.
  /// - Throws: `TimeError.ambiguous` and `TimeError.missingUnit` with the possible spellings;
  ///   `TimeError.malformed` with the offset of the first unexpected byte;
  ///   `TimeError.fieldOutOfRange`, `TimeError.beatBelowOne`, `TimeError.dropSeparator`,
  ///   `TimeError.unknownRate`, `TimeError.zeroDenominator`, `TimeError.badTempo`,
  ///   `TimeError.overflow`.
  /// - Complexity: O(n) in the length of the text.
  public init(_ text: String, as format: TimeFormat? = nil) throws(TimeError) {
    var text = text
    text.makeContiguousUTF8()
    try self.init(utf8: text.utf8.span, as: format)
  }

  /// Reads an expression of any format, in which numbers need no unit.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - format: The format of a number without a unit.
  /// - Throws: The same errors as `init(_:as:)`, except for `TimeError.missingUnit`.
  /// - Complexity: O(n) in the length of the text.
  public init(_ text: String, bareNumbersAs format: TimeFormat) throws(TimeError) {
    var text = text
    text.makeContiguousUTF8()
    var reader = TimeReader(text.utf8.span)
    reader.bareFormat = format
    value = try reader.sum(as: nil)
  }

  /// Reads an expression from UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - format: The format of the text, as in `init(_:as:)`.
  ///   - bareFormat: The format of a number without a unit; nil makes it an error.
  /// - Throws: The same errors as `init(_:as:)`.
  /// - Complexity: O(n) in the length of the text.
  /// - Note: Allocates only for the name of a marker, for a sum and for errors.
  public init(
    utf8 bytes: Span<UInt8>, as format: TimeFormat? = nil,
    bareNumbersAs bareFormat: TimeFormat? = nil
  ) throws(TimeError) {
    var reader = TimeReader(bytes)
    reader.bareFormat = bareFormat
    value = try reader.sum(as: format)
  }
}
