// SPDX-License-Identifier: Apache-2.0

/// A tempo as stored in a Standard MIDI File: whole microseconds per quarter note in 24 bits.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Set Tempo (`FF 51 03 tt tt tt`).
public struct SetTempo: Hashable, BitwiseCopyable, Sendable {
  /// The length of a quarter note in microseconds, 1…16777215.
  public let microsecondsPerQuarter: UInt32

  /// Creates a tempo from the length of a quarter note in microseconds, or returns nil if that is
  /// not 1…16777215.
  public init?(microsecondsPerQuarter length: Int) {
    guard (1...0xFF_FFFF).contains(length) else { return nil }
    microsecondsPerQuarter = UInt32(length)
  }

  /// Returns the tempo nearest to a number of quarter notes per minute.
  ///
  /// For example, 130 beats per minute become 461 538 µs, and playback is then early by 86.4 ms per
  /// day; 120, 125 and 128 beats per minute are exact.
  ///
  /// - Parameters:
  ///   - value: Quarter notes per minute.
  ///   - rounding: The rounding to whole microseconds.
  /// - Returns: The tempo, with the residue in microseconds per quarter note.
  /// - Throws: `TimeError.badTempo` if the value is zero or negative; `TimeError.outside24BitField`
  ///   below 3.576 beats per minute, and if the length of a quarter note is rounded to 0 µs;
  ///   `TimeError.inexact`.
  public static func beatsPerMinute(
    _ value: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<SetTempo> {
    guard value > 0 else { throw .badTempo("\(value) bpm") }
    let length = try (Ratio(60_000_000) / value).rounded(rounding, unit: "microseconds")
    guard let tempo = SetTempo(microsecondsPerQuarter: Int(length.value)) else {
      throw .outside24BitField("\(value) bpm")
    }
    return length.map { _ in tempo }
  }

  /// Converts a tempo of a `TempoMap` to the tempo that a file can store.
  ///
  /// - Throws: `TimeError.outside24BitField` above 16.78 s per quarter note; `TimeError.inexact`.
  public static func at(
    _ tempo: Tempo, rounding: Rounding
  ) throws(TimeError) -> Converted<SetTempo> {
    let length = try tempo.microsecondsPerQuarter.rounded(rounding, unit: "microseconds")
    guard let narrow = SetTempo(microsecondsPerQuarter: Int(length.value)) else {
      throw .outside24BitField("\(tempo.microsecondsPerQuarter) µs/q")
    }
    return length.map { _ in narrow }
  }

  /// The same tempo as a value for a `TempoMap`; the conversion is exact.
  public var tempo: Tempo { Tempo(unchecked: microsecondsPerQuarter * 100) }

  /// The three bytes of the Set Tempo event, most significant byte first.
  public var payload: [UInt8] {
    [
      UInt8(truncatingIfNeeded: microsecondsPerQuarter >> 16),
      UInt8(truncatingIfNeeded: microsecondsPerQuarter >> 8),
      UInt8(truncatingIfNeeded: microsecondsPerQuarter),
    ]
  }
}
