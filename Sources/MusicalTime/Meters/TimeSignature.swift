// SPDX-License-Identifier: Apache-2.0

/// A meter (time signature): the number of beats per bar and the note value of a beat.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Time Signature.
public struct TimeSignature: Hashable, BitwiseCopyable, Sendable {
  /// The number of beats per bar, 1…255.
  public let numerator: UInt8
  /// The note value of a beat: 4 for a quarter, 8 for an eighth; a power of two, 1…32768.
  public let denominator: UInt16
  /// The number of MIDI clocks per metronome click; 24 is a quarter note.
  public let clocksPerClick: UInt8
  /// The number of notated 32nd notes per MIDI quarter note, 1…255; 8 in nearly all files.
  public let thirtySecondsPerQuarter: UInt8

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - numerator: The number of beats per bar, 1…255.
  ///   - denominator: The note value of a beat: a power of two, 1…32768.
  ///   - clocksPerClick: The number of MIDI clocks per metronome click; 24 by default.
  ///   - thirtySecondsPerQuarter: The number of notated 32nd notes per MIDI quarter note, 1…255; 8
  ///     by default.
  /// - Throws: `TimeError.badMeter` if the numerator or denominator is not permitted;
  ///   `TimeError.fieldOutOfRange` for zero 32nd notes.
  public init(
    numerator: Int, denominator: Int, clocksPerClick: UInt8 = 24,
    thirtySecondsPerQuarter: UInt8 = 8
  ) throws(TimeError) {
    let isPowerOfTwo = (1...32768).contains(denominator) && denominator.nonzeroBitCount == 1
    guard (1...255).contains(numerator), isPowerOfTwo else {
      throw .badMeter(numerator: numerator, denominator: denominator)
    }
    guard thirtySecondsPerQuarter > 0 else {
      throw .fieldOutOfRange(field: "32nd notes per quarter", value: "0", range: "1…255")
    }
    self.init(
      unchecked: UInt8(numerator), UInt16(denominator), clocksPerClick, thirtySecondsPerQuarter)
  }

  private init(
    unchecked numerator: UInt8, _ denominator: UInt16, _ clocks: UInt8, _ thirtySeconds: UInt8
  ) {
    self.numerator = numerator
    self.denominator = denominator
    self.clocksPerClick = clocks
    self.thirtySecondsPerQuarter = thirtySeconds
  }

  /// The default meter: 4/4.
  public static var common: TimeSignature { TimeSignature(unchecked: 4, 4, 24, 8) }

  /// The length of a beat in MIDI quarter notes.
  ///
  /// In 6/8, for example, a beat is 1/2 quarter note. A notated quarter note is
  /// `8 / thirtySecondsPerQuarter` MIDI quarter notes.
  public var quartersPerBeat: Ratio {
    Ratio(32, over: Int64(denominator) * Int64(thirtySecondsPerQuarter))
  }
}

extension TimeSignature: CustomStringConvertible {
  /// The meter as `numerator/denominator`.
  public var description: String { "\(numerator)/\(denominator)" }
}

/// A meter that takes effect at a position.
public struct MeterChange: Hashable, BitwiseCopyable, Sendable {
  /// The position in quarter notes from the start of the song.
  public var position: Ratio
  /// The meter that takes effect.
  public var signature: TimeSignature

  /// Creates a change at a position in quarter notes.
  public init(position: Ratio, signature: TimeSignature) {
    self.position = position
    self.signature = signature
  }

  /// Creates a change to a meter at a tick.
  public init(tick: Tick, ppqn: PPQN, signature: TimeSignature) {
    self.init(position: Ratio(tick.value, over: Int64(ppqn.ticks)), signature: signature)
  }
}
