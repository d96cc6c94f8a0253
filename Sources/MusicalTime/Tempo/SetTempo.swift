// SPDX-License-Identifier: Apache-2.0

/// A tempo as a Standard MIDI File carries it: whole microseconds per quarter note in 24 bits.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Set Tempo (`FF 51 03 tt tt tt`).
public struct SetTempo: Hashable, BitwiseCopyable, Sendable {
  /// Microseconds per quarter note, 1…16777215.
  public let microsecondsPerQuarter: UInt32

  /// Creates a tempo from microseconds per quarter note, or nil outside 1…16777215.
  public init?(microsecondsPerQuarter length: Int) {
    guard (1...0xFF_FFFF).contains(length) else { return nil }
    microsecondsPerQuarter = UInt32(length)
  }

  /// The tempo nearest to a number of quarter notes per minute.
  ///
  /// 130 beats per minute become 461 538 µs, 86.4 ms fast in a day; 120, 125 and 128 are exact.
  ///
  /// - Parameters:
  ///   - value: Quarter notes per minute.
  ///   - rounding: How to pick one of the two whole microseconds around the tempo.
  /// - Returns: The tempo, and the residue in microseconds per quarter note.
  /// - Throws: `TimeError.badTempo` at or below zero; `TimeError.outside24BitField` below 3.576
  ///   beats per minute and above 120 million; `TimeError.inexact`.
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

  /// The tempo that a map's tempo becomes in a file.
  ///
  /// - Throws: `TimeError.outside24BitField` past 16.78 s a quarter note; `TimeError.inexact`.
  public static func at(
    _ tempo: Tempo, rounding: Rounding
  ) throws(TimeError) -> Converted<SetTempo> {
    let length = try tempo.microsecondsPerQuarter.rounded(rounding, unit: "microseconds")
    guard let narrow = SetTempo(microsecondsPerQuarter: Int(length.value)) else {
      throw .outside24BitField("\(tempo.microsecondsPerQuarter) µs/q")
    }
    return length.map { _ in narrow }
  }

  /// The tempo in the map's units, exactly.
  public var tempo: Tempo { Tempo(unchecked: microsecondsPerQuarter * 100) }

  /// The three bytes of the event's payload, high byte first.
  public var payload: [UInt8] {
    [
      UInt8(truncatingIfNeeded: microsecondsPerQuarter >> 16),
      UInt8(truncatingIfNeeded: microsecondsPerQuarter >> 8),
      UInt8(truncatingIfNeeded: microsecondsPerQuarter),
    ]
  }
}
