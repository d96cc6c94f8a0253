// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A meta event: a type and bytes, kept as the file has them.
///
/// Source: Standard MIDI Files 1.0 (RP-001), meta-events.
public struct MetaEvent: Hashable, Sendable {
  /// The type, 0…127.
  public var type: UInt8
  /// The bytes after the length.
  public var bytes: [UInt8]

  /// Creates a meta event of any type.
  public init(type: UInt8, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// A tempo in whole microseconds, rounded to the nearest; nil above 16 777 215.
  public static func tempo(_ tempo: Tempo) -> MetaEvent? {
    let length = (Int(tempo.tenNanosecondsPerQuarter) + 50) / 100
    guard (1...0xFF_FFFF).contains(length) else { return nil }
    return MetaEvent(type: 0x51, bytes: [16, 8, 0].map { UInt8(length >> $0 & 0xFF) })
  }

  /// A text of one of the fifteen text types (1…15), in UTF-8.
  public static func text(_ text: String, type: TextType = .text) -> MetaEvent {
    MetaEvent(type: type.rawValue, bytes: Array(text.utf8))
  }

  /// A time signature: numerator, power of two of the denominator, MIDI clocks per click, notated
  /// thirty-seconds in a quarter note.
  public static func timeSignature(
    _ numerator: UInt8, denominatorPower: UInt8, clocksPerClick: UInt8 = 24,
    thirtySecondsPerQuarter: UInt8 = 8
  ) -> MetaEvent {
    MetaEvent(
      type: 0x58,
      bytes: [numerator, denominatorPower, clocksPerClick, thirtySecondsPerQuarter])
  }

  /// A key signature: sharps above zero, flats below, −7…7.
  public static func keySignature(sharps: Int8, isMinor: Bool) -> MetaEvent {
    MetaEvent(type: 0x59, bytes: [UInt8(bitPattern: sharps), isMinor ? 1 : 0])
  }

  static func belongsToTempoTrack(_ type: UInt8, _ count: Int) -> Bool {
    type == 0x51 && count == 3 || type == 0x54 && count == 5 || type == 0x58 && count == 4
  }

  /// The tempo of a tempo event; nil for any other event, and for a tempo without meaning.
  public var tempo: Tempo? {
    guard type == 0x51, bytes.count == 3 else { return nil }
    let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    return Tempo(microsecondsPerQuarter: length)
  }

  /// The kind of text of a text event; nil for any other event.
  public var textType: TextType? { TextType(rawValue: type) }

  /// The text types to which the standard gives a name.
  public enum TextType: UInt8, Hashable, Sendable, CaseIterable {
    case text = 1
    case copyright
    case trackName
    case instrumentName
    case lyric
    case marker
    case cuePoint
    case programName
    case deviceName
  }
}
