// SPDX-License-Identifier: Apache-2.0

/// The position a Song Position Pointer message names, in MIDI beats.
///
/// One MIDI beat is six MIDI clocks, a sixteenth note whatever the time signature.
/// Range 0…16383; at 4/4 that is 1024 bars.
///
/// Source: MIDI 1.0 Detailed Specification, System Common Messages.
public struct SongPosition: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// MIDI beats from the start of the song, 0…16383.
  public let midiBeats: UInt16

  /// Creates a position, or nil outside 0…16383.
  @inlinable
  public init?(midiBeats: Int) {
    guard (0...16383).contains(midiBeats) else { return nil }
    self.midiBeats = UInt16(midiBeats)
  }

  /// The position that two data bytes name, low byte first; their top bits are ignored.
  @inlinable
  public init(lowByte: UInt8, highByte: UInt8) {
    midiBeats = UInt16(lowByte & 0x7F) | UInt16(highByte & 0x7F) << 7
  }

  /// The low data byte.
  @inlinable
  public var lowByte: UInt8 { UInt8(midiBeats & 0x7F) }

  /// The high data byte.
  @inlinable
  public var highByte: UInt8 { UInt8(midiBeats >> 7) }

  /// The position in quarter notes.
  public var quarters: Ratio { Ratio(Int64(midiBeats), over: 4) }

  /// The position in MIDI clocks.
  @inlinable
  public var midiClock: MIDIClock { MIDIClock(count: Int64(midiBeats) * 6) }

  /// The song position of a position in quarter notes.
  ///
  /// - Throws: `TimeError.inexact`; `TimeError.fieldOutOfRange` outside 0…16383 MIDI beats.
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

  /// Whether a position comes before another.
  @inlinable
  public static func < (left: SongPosition, right: SongPosition) -> Bool {
    left.midiBeats < right.midiBeats
  }
}

/// A position counted in MIDI clocks, 24 to a quarter note.
///
/// Source: MIDI 1.0 Detailed Specification, System Real Time Messages.
public struct MIDIClock: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// MIDI clocks from the start of the song.
  public var count: Int64

  /// Creates a position from a count of clocks.
  @inlinable
  public init(count: Int64) {
    self.count = count
  }

  /// The position in quarter notes.
  public var quarters: Ratio { Ratio(count, over: 24) }

  /// The tick of the clock.
  ///
  /// At 480 PPQN a clock is 20 ticks; at 96, 4; at 100 it lies between ticks.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  @inlinable
  public func tick(ppqn: PPQN, rounding: Rounding) throws(TimeError) -> Converted<Tick> {
    try scale(count, by: Int64(ppqn.ticks), over: 24, rounding, unit: "ticks").map { Tick($0) }
  }

  /// The clock of a tick.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  @inlinable
  public static func at(
    _ tick: Tick, ppqn: PPQN, rounding: Rounding
  ) throws(TimeError) -> Converted<MIDIClock> {
    try scale(tick.value, by: 24, over: Int64(ppqn.ticks), rounding, unit: "MIDI clocks")
      .map(MIDIClock.init(count:))
  }

  /// Whether a position comes before another.
  @inlinable
  public static func < (left: MIDIClock, right: MIDIClock) -> Bool { left.count < right.count }
}
