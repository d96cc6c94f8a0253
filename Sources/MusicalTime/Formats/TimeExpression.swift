// SPDX-License-Identifier: Apache-2.0

/// A time as it is written in a command-line option or another string.
///
/// The punctuation determines the format. An ambiguous string is an error, which contains a
/// spelling for each meaning. The formats are:
///
/// - `12|3|240`, `12.3.240`, `12|3|240/480`: bar, beat, part of a beat; `bar 12`, `bar12`,
///   `bar 12 beat 3`.
/// - `16bars`: whole bars from the start, or as a length.
/// - `01:02:03:12`, `01:02:03;12`, `01:02:03:12.40/80@29.97df`: a time code; `;` means drop-frame.
/// - `3:25.5`, `1:02:03`: clock time.
/// - `3m25.5s`, `250ms`, `7ns`, `48000@48k`, `48000smp`, `1920t@480`, `4.5b`, `107892f@25`,
///   `125bpm`, `480000us/q`: a number with its unit, which may follow a space, as in `90 s`. The
///   number can be a fraction: `1001/30000s`.
/// - `sec:12.3`, `tick:1920`: a number after the name of its format.
/// - `1/8`, `1/8.`, `1/8d`, `1/4t`: a note value, which is a fraction of a whole note whose
///   denominator is a power of two. Dots (or `d` for one dot) lengthen it; `t` is a triplet.
/// - `50%`: a part of the song's length. `@name`: the position of a marker. `now`: the position of
///   a clock.
/// - `1:30 + 4|0|0`, `@chorus - 1/8`: a time, and lengths that are added or subtracted, with spaces
///   around the sign.
///
/// A length in bars, beats, note values, ticks or MIDI clocks depends on the position to which it
/// is added. Whole bars are added first, so that the position in the bar stays the same. Then beats
/// are added, in the meter at that position. The bars and beats of a length are counted from 0:
/// `4|0|0` is four bars. Any other length is converted to seconds: a time code from 00:00:00:00,
/// and a marker from the start of the song.
///
/// In a shell, `|` and `;` need quotes; `12.3.240` and `01:02:03:12@29.97df` do not. A minus sign
/// at the start negates the whole time, except that in `-1|1|0` it belongs to the bar.
///
/// An expression does not depend on tempo, meter or rates. A `TimeContext` converts it to a
/// position.
public struct TimeExpression: Hashable, Sendable {
  /// The time in the unit in which it was written.
  public let value: Value

  /// A time in the unit in which it was written.
  public enum Value: Hashable, Sendable {
    /// A bar, a beat, a part of a beat, and the number of parts per beat.
    ///
    /// If that number was not written, `divisor` is nil, and the context determines it.
    case barBeat(bar: Int32, beat: UInt16, subbeat: UInt16, divisor: UInt16?)
    /// A time code, whose rate may not have been written.
    case timecode(TimecodeText)
    /// Seconds of media time.
    case seconds(Ratio)
    /// Sample frames, with the sample rate if it was written.
    case samples(Ratio, SampleRate?)
    /// Ticks, with the ticks per quarter note if they were written.
    case ticks(Ratio, PPQN?)
    /// Quarter notes from the start of the song.
    case beats(Ratio)
    /// Frames from the time code 00:00:00:00, with the frame rate if it was written.
    case frames(Ratio, FrameRate?)
    /// Nanoseconds of host time, instead of a position in the song.
    case hostTime(Ratio)
    /// A tempo, in microseconds per quarter note.
    case tempo(Ratio)
    /// A part of the song's length; 1 is the whole song.
    case portion(Ratio)
    /// The position of a marker, which is given by name.
    case marker(String)
    /// The current position of a clock.
    case now
    /// A time, followed by lengths that are added or subtracted.
    case sum([Term])
  }

  /// One of the values that are added or subtracted in a sum.
  public struct Term: Hashable, Sendable {
    /// A position in the first term, and a length in later terms.
    ///
    /// The bars and beats of a length are counted from 0.
    public let value: Value
    /// True if the value is subtracted.
    public let isNegative: Bool

    /// Creates a term, which is added by default.
    public init(_ value: Value, isNegative: Bool = false) {
      self.value = value
      self.isNegative = isNegative
    }
  }

  /// The terms of a sum.
  ///
  /// For any other value, the value is the only term.
  public var terms: [Term] {
    if case .sum(let terms) = value { terms } else { [Term(value)] }
  }

  /// Creates an expression from a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Creates an expression from a string.
  ///
  /// - Parameters:
  ///   - text: The string.
  ///   - format: The format of the string, as if the string began with its name. If nil, the
  ///     punctuation determines the format, and a number without a unit is an error.
  /// - Throws: `TimeError.ambiguous` and `TimeError.missingUnit` with the possible spellings;
  ///   `TimeError.malformed` with the offset of the first unexpected byte;
  ///   `TimeError.fieldOutOfRange`, `TimeError.beatBelowOne`, `TimeError.dropSeparator`,
  ///   `TimeError.unknownRate`, `TimeError.zeroDenominator`, `TimeError.badTempo`,
  ///   `TimeError.overflow`.
  /// - Complexity: O(n) in the length of the string.
  public init(_ text: String, as format: TimeFormat? = nil) throws(TimeError) {
    var text = text
    text.makeContiguousUTF8()
    try self.init(utf8: text.utf8.span, as: format)
  }

  /// Creates an expression from a string of any format, in which numbers may lack a unit.
  ///
  /// - Parameters:
  ///   - text: The string.
  ///   - format: The format of a number without a unit.
  /// - Throws: The errors of `init(_:as:)`, except for `TimeError.missingUnit`.
  /// - Complexity: O(n) in the length of the string.
  public init(_ text: String, bareNumbersAs format: TimeFormat) throws(TimeError) {
    var text = text
    text.makeContiguousUTF8()
    var reader = TimeReader(text.utf8.span)
    reader.bareFormat = format
    value = try reader.sum(as: nil)
  }

  /// Creates an expression from UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the string.
  ///   - format: The format of the string, as in `init(_:as:)`.
  ///   - bareFormat: The format of a number without a unit. If nil, such a number is an error.
  /// - Throws: The errors of `init(_:as:)`.
  /// - Complexity: O(n) in the length of the string.
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
