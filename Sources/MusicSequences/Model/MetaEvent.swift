// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A meta event: a type and bytes, unchanged from the file.
///
/// Source: Standard MIDI Files 1.0 (RP-001), meta-events.
public struct MetaEvent: Hashable, Sendable {
  /// The type, 0…127.
  public var type: UInt8
  /// The content of the event, after its length.
  public var bytes: [UInt8]

  /// Creates a meta event of any type.
  public init(type: UInt8, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// Creates a tempo event, rounded to the nearest whole microsecond per quarter note.
  ///
  /// - Returns: The event, or nil if the tempo is above 16 777 215 µs per quarter note.
  public static func tempo(_ tempo: Tempo) -> MetaEvent? {
    let length = (Int(tempo.tenNanosecondsPerQuarter) + 50) / 100
    guard (1...0xFF_FFFF).contains(length) else { return nil }
    return MetaEvent(type: 0x51, bytes: [16, 8, 0].map { UInt8(length >> $0 & 0xFF) })
  }

  /// Creates a text event in UTF-8, of one of the named types; `TextType.text` by default.
  public static func text(_ text: String, type: TextType = .text) -> MetaEvent {
    MetaEvent(type: type.rawValue, bytes: Array(text.utf8))
  }

  /// Creates a time signature event.
  ///
  /// - Parameters:
  ///   - numerator: The number of beats in a bar.
  ///   - denominatorPower: The denominator as a power of two: 2 for quarter notes, 3 for eighths.
  ///   - clocksPerClick: The number of MIDI clocks for each click of the metronome; 24 by default.
  ///   - thirtySecondsPerQuarter: The number of notated thirty-second notes in a MIDI quarter note;
  ///     8 by default.
  /// - Returns: A meta event of type 0x58.
  public static func timeSignature(
    _ numerator: UInt8, denominatorPower: UInt8, clocksPerClick: UInt8 = 24,
    thirtySecondsPerQuarter: UInt8 = 8
  ) -> MetaEvent {
    MetaEvent(
      type: 0x58,
      bytes: [numerator, denominatorPower, clocksPerClick, thirtySecondsPerQuarter])
  }

  /// Creates a key signature event.
  ///
  /// - Parameters:
  ///   - sharps: The number of sharps, or of flats as a negative number: −7…7.
  ///   - isMinor: True for a minor key.
  /// - Returns: A meta event of type 0x59.
  public static func keySignature(sharps: Int8, isMinor: Bool) -> MetaEvent {
    MetaEvent(type: 0x59, bytes: [UInt8(bitPattern: sharps), isMinor ? 1 : 0])
  }

  static func belongsToTempoTrack(_ type: UInt8, _ count: Int) -> Bool {
    type == 0x51 && count == 3 || type == 0x54 && count == 5 || type == 0x58 && count == 4
  }

  /// The tempo of a tempo event; nil for any other event, and for an invalid tempo.
  public var tempo: Tempo? {
    guard type == 0x51, bytes.count == 3 else { return nil }
    let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    return Tempo(microsecondsPerQuarter: length)
  }

  /// The kind of text, for types 1…9; nil for any other event.
  public var textType: TextType? { TextType(rawValue: type) }

  /// The kinds of texts that have a name in the standard.
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
