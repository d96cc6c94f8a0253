// SPDX-License-Identifier: Apache-2.0

/// A format of times, whose raw value is the name before a colon, as in `sec:12.3`.
public enum TimeFormat: String, Hashable, Sendable, CaseIterable {
  /// Bar, beat and subbeat: `12|3|240`.
  case barBeat = "bbt"
  /// Quarter notes.
  case beats = "beat"
  /// Ticks of the sequence.
  case ticks = "tick"
  /// Hours, minutes and seconds: `1:02:03.5`.
  case clock
  /// Seconds.
  case seconds = "sec"
  /// Milliseconds.
  case milliseconds = "ms"
  /// Microseconds.
  case microseconds = "us"
  /// Nanoseconds.
  case nanoseconds = "ns"
  /// Sample frames.
  case samples = "smp"
  /// Time code: `01:02:03:12`.
  case timecode = "smpte"
  /// Video frames.
  case frames = "frame"
  /// Nanoseconds of host time.
  case hostTime = "host"
  /// Song position in MIDI beats, each of which is six MIDI clocks.
  case songPosition = "spp"
  /// MIDI clocks, 24 per quarter note.
  case midiClocks = "clk"

  /// Creates a format from its name, or from another common name such as `ticks` or `samples`;
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
