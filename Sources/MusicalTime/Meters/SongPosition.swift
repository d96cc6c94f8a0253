// SPDX-License-Identifier: Apache-2.0

/// The position in a Song Position Pointer message, in MIDI beats.
///
/// A MIDI beat is six MIDI clocks, which is a sixteenth note in any meter. The range is 0…16383, or
/// 1024 bars of 4/4.
///
/// Source: MIDI 1.0 Detailed Specification, System Common Messages.
public struct SongPosition: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of MIDI beats from the start of the song, 0…16383.
  public let midiBeats: UInt16

  /// Creates a position, or returns nil if it is not 0…16383.
  @inlinable
  public init?(midiBeats: Int) {
    guard (0...16383).contains(midiBeats) else { return nil }
    self.midiBeats = UInt16(midiBeats)
  }

  /// Creates a position from two data bytes; their most significant bits are ignored.
  @inlinable
  public init(lowByte: UInt8, highByte: UInt8) {
    midiBeats = UInt16(lowByte & 0x7F) | UInt16(highByte & 0x7F) << 7
  }

  /// The first data byte of the message: the low seven bits.
  @inlinable
  public var lowByte: UInt8 { UInt8(midiBeats & 0x7F) }

  /// The second data byte of the message: the high seven bits.
  @inlinable
  public var highByte: UInt8 { UInt8(midiBeats >> 7) }

  /// The position in quarter notes.
  public var quarters: Ratio { Ratio(Int64(midiBeats), over: 4) }

  /// The position in MIDI clocks.
  @inlinable
  public var midiClock: MIDIClock { MIDIClock(count: Int64(midiBeats) * 6) }

  /// Converts a position in quarter notes to a song position.
  ///
  /// - Throws: `TimeError.inexact`; `TimeError.fieldOutOfRange` outside of 0…16383 MIDI beats.
  public static func at(
    quarters: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<SongPosition> {
    let beats = try (quarters * 4).rounded(rounding, unit: "MIDI beats")
    guard let position = Int(exactly: beats.value).flatMap(SongPosition.init(midiBeats:)) else {
      throw .fieldOutOfRange(
        field: "song position", value: "\(beats.value) MIDI beats", range: "0…16383")
    }
    return beats.map { _ in position }
  }

  /// Returns true if the left position is before the right one.
  @inlinable
  public static func < (left: SongPosition, right: SongPosition) -> Bool {
    left.midiBeats < right.midiBeats
  }
}

/// A position in MIDI clocks, 24 per quarter note.
///
/// Source: MIDI 1.0 Detailed Specification, System Real Time Messages.
public struct MIDIClock: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of MIDI clocks from the start of the song.
  public var count: Int64

  /// Creates a position from a number of clocks.
  @inlinable
  public init(count: Int64) {
    self.count = count
  }

  /// The position in quarter notes.
  public var quarters: Ratio { Ratio(count, over: 24) }

  /// Converts the position to ticks.
  ///
  /// A clock is 20 ticks at 480 PPQN and 4 ticks at 96. At 100 PPQN it is not a whole number of
  /// ticks.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  @inlinable
  public func tick(ppqn: PPQN, rounding: Rounding) throws(TimeError) -> Converted<Tick> {
    try scale(count, by: Int64(ppqn.ticks), over: 24, rounding, unit: "ticks").map { Tick($0) }
  }

  /// Converts a tick to a position in MIDI clocks.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  @inlinable
  public static func at(
    _ tick: Tick, ppqn: PPQN, rounding: Rounding
  ) throws(TimeError) -> Converted<MIDIClock> {
    try scale(tick.value, by: 24, over: Int64(ppqn.ticks), rounding, unit: "MIDI clocks")
      .map(MIDIClock.init(count:))
  }

  /// Returns true if the left position is before the right one.
  @inlinable
  public static func < (left: MIDIClock, right: MIDIClock) -> Bool { left.count < right.count }
}
