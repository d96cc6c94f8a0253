// SPDX-License-Identifier: Apache-2.0

/// A time as a person writes it: the one grammar of every flag that takes a time.
///
/// The punctuation decides which kind of time it is; a text that has two readings is refused, with
/// a spelling for each of them. The kinds are:
///
/// - `12|3|240`, `12.3.240`, `12|3|240/480`: bar, beat, part of a beat; `bar 12`, `bar12`, `bar 12 beat 3`.
/// - `16bars`: whole bars from the beginning, or as a length.
/// - `01:02:03:12`, `01:02:03;12`, `01:02:03:12.40/80@29.97df`: an SMPTE label; `;` means drop.
/// - `3:25.5`, `1:02:03`: clock time.
/// - `3m25.5s`, `250ms`, `7ns`, `48000@48k`, `48000smp`, `1920t@480`, `4.5b`, `107892f@25`,
///   `125bpm`, `480000us/q`: a number with its unit; `1001/30000s` is a number too.
///   A space may stand before a unit: `90 s`.
/// - `sec:12.3`, `tick:1920`: any number, after the name of its format.
/// - `1/8`, `1/8.`, `1/8d`, `1/4t`: a note value, with its dots (`d` is one), or a triplet's: a fraction of a whole
///   note, whose denominator is a power of two.
/// - `50%` of a piece, `@name` of a marker, `now` of a clock.
/// - `1:30 + 4|0|0`, `@chorus - 1/8`: a time and lengths that are added or taken away, with spaces
///   around the sign.
///
/// A length of bars, beats, note values, ticks or MIDI clocks is counted in music from where it is
/// added: first whole bars, to the same place in another bar, then beats of the meter there; its
/// fields count from 0, so that `4|0|0` is four bars. Every other length is counted in seconds, a
/// label from 00:00:00:00, a marker from the beginning.
///
/// A shell gives `|` and `;` a meaning of its own; the spellings `12.3.240` and
/// `01:02:03:12@29.97df` avoid them. A leading minus negates the whole, except that in `-1|1|0` it
/// belongs to the bar.
///
/// An expression knows nothing of tempo, meter or rates: a `TimeContext` gives it a position.
public struct TimeExpression: Hashable, Sendable {
  /// What was written.
  public let value: Value

  /// A time, in the unit in which it was written.
  public enum Value: Hashable, Sendable {
    /// A bar, a beat, and a part of a beat; where no divisor is written, the context gives it.
    case barBeat(bar: Int32, beat: UInt16, subbeat: UInt16, divisor: UInt16?)
    /// An SMPTE label.
    case timecode(TimecodeText)
    /// Seconds of media time.
    case seconds(Ratio)
    /// Sample frames, at a rate where one is written.
    case samples(Ratio, SampleRate?)
    /// Ticks, at a resolution where one is written.
    case ticks(Ratio, PPQN?)
    /// Quarter notes.
    case beats(Ratio)
    /// Frames of an SMPTE rate, from the label 00:00:00:00.
    case frames(Ratio, FrameRate?)
    /// Nanoseconds of the host clock.
    case hostTime(Ratio)
    /// A tempo, in microseconds per quarter note.
    case tempo(Ratio)
    /// A part of the piece's length.
    case portion(Ratio)
    /// The place of a marker.
    case marker(String)
    /// Where a clock is.
    case now
    /// A time, and the lengths that follow it.
    case sum([Term])
  }

  /// A part of a sum.
  public struct Term: Hashable, Sendable {
    /// The time of the first term, or the length of a later one; a bar-beat length counts from
    /// 0|0|0.
    public let value: Value
    /// Whether the length is taken away.
    public let isNegative: Bool

    /// Creates a part.
    public init(_ value: Value, isNegative: Bool = false) {
      self.value = value
      self.isNegative = isNegative
    }
  }

  /// The terms of a sum; of any other time the value itself as the only term.
  public var terms: [Term] {
    if case .sum(let terms) = value { terms } else { [Term(value)] }
  }

  /// Creates an expression.
  public init(_ value: Value) {
    self.value = value
  }

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - format: The format of the whole text, as if its name stood before it; nil lets the
  ///     punctuation decide, and refuses bare numbers.
  /// - Throws: `TimeError.ambiguous` and `TimeError.missingUnit` with the spellings to choose
  ///   from; `TimeError.malformed` with the offset of the first byte that does not fit;
  ///   `TimeError.fieldOutOfRange`, `TimeError.beatBelowOne`, `TimeError.dropSeparator`,
  ///   `TimeError.unknownRate`, `TimeError.zeroDenominator`, `TimeError.badTempo`,
  ///   `TimeError.overflow`.
  /// - Complexity: O(n) in the length of the text.
  public init(_ text: String, as format: TimeFormat? = nil) throws(TimeError) {
    var text = text
    text.makeContiguousUTF8()
    try self.init(utf8: text.utf8.span, as: format)
  }

  /// Reads an expression of any kind, in which a number may stand without its unit.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - format: What a bare number counts.
  /// - Throws: As `init(_:as:)`, except that a bare number is no error.
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
  ///   - format: As in `init(_:as:)`.
  ///   - bareFormat: As in `init(_:bareNumbersAs:)`; nil refuses bare numbers.
  /// - Throws: As `init(_:as:)`.
  /// - Complexity: O(n) in the length of the text.
  /// - Note: Allocates only for a marker's name, for a sum and for errors.
  public init(
    utf8 bytes: Span<UInt8>, as format: TimeFormat? = nil,
    bareNumbersAs bareFormat: TimeFormat? = nil
  ) throws(TimeError) {
    var reader = TimeReader(bytes)
    reader.bareFormat = bareFormat
    value = try reader.sum(as: format)
  }
}
