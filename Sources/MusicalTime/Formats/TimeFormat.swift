// SPDX-License-Identifier: Apache-2.0

/// A format of times.
///
/// The raw value is the name that can precede a time and a colon, as in `sec:12.3`.
public enum TimeFormat: String, Hashable, Sendable, CaseIterable {
  /// Bar, beat and subbeat, such as `12|3|240`.
  case barBeat = "bbt"
  /// Quarter notes from the start of the song.
  case beats = "beat"
  /// Ticks of the sequence.
  case ticks = "tick"
  /// Hours, minutes and seconds, such as `1:02:03.5`.
  case clock
  /// Seconds from the start of the song.
  case seconds = "sec"
  /// Milliseconds from the start of the song.
  case milliseconds = "ms"
  /// Microseconds from the start of the song.
  case microseconds = "us"
  /// Nanoseconds from the start of the song.
  case nanoseconds = "ns"
  /// Sample frames from the start of the song.
  case samples = "smp"
  /// Time code, such as `01:02:03:12`.
  case timecode = "smpte"
  /// Video frames from the time code 00:00:00:00.
  case frames = "frame"
  /// Nanoseconds of host time.
  case hostTime = "host"
  /// Song position in MIDI beats, each of which is six MIDI clocks.
  case songPosition = "spp"
  /// MIDI clocks, 24 per quarter note.
  case midiClocks = "clk"

  /// Creates a format from its raw value or another common name, such as `ticks` or `samples`;
  /// returns nil for unknown names.
  public init?(name: some StringProtocol) {
    if let format = TimeFormat(rawValue: String(name)) {
      self = format
      return
    }
    guard let format = Self.otherNames.first(where: { $0.name == name })?.format else {
      return nil
    }
    self = format
  }

  /// All prefixes, for an error message.
  static var listOfPrefixes: String {
    allCases.map { "\($0.rawValue):" }.joined(separator: " ")
  }

  private static let otherNames: [(name: String, format: TimeFormat)] = [
    ("bar", .barBeat), ("bars", .barBeat), ("barbeat", .barBeat), ("beats", .beats),
    ("quarters", .beats), ("q", .beats), ("ticks", .ticks), ("hms", .clock), ("s", .seconds),
    ("second", .seconds), ("seconds", .seconds), ("millisecond", .milliseconds),
    ("milliseconds", .milliseconds), ("microsecond", .microseconds),
    ("microseconds", .microseconds), ("nanosecond", .nanoseconds), ("nanoseconds", .nanoseconds),
    ("sample", .samples), ("samples", .samples), ("timecode", .timecode), ("tc", .timecode),
    ("frames", .frames), ("host_ns", .hostTime), ("song-position", .songPosition),
    ("clocks", .midiClocks), ("midi-clocks", .midiClocks),
  ]
}
