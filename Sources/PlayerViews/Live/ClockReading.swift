// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import JSONText
package import MusicalTime
internal import PlayerControl

/// The position of a clock at an instant, in every format.
package struct ClockReading {
  private static let style = TimeValue.Style()

  package let place: TimePosition
  package let time: HostTime
  package let context: TimeContext
  /// The tempo in quarter notes per minute; nil while the clock is stopped, or the tempo is not
  /// known yet.
  package let tempo: Double?
  /// True if the clock runs at a tempo that is not known yet.
  let isLocking: Bool
  /// True if the position may be off by whole MIDI clocks.
  package let isUncertain: Bool

  /// Reads a clock at an instant, exactly, or at a given tick that it has reached.
  package init(
    _ clock: ClockSnapshot, at time: HostTime, tick: Tick? = nil, in context: TimeContext
  ) throws(TimeError) {
    let ticks = if let tick { Ratio(tick.value) } else { try clock.ticks(at: time) }
    place = .ticks(ticks)
    self.time = time
    self.context = context
    isUncertain = clock.isUncertain
    let tempo = clock.beatsPerMinute(at: time)
    isLocking = tempo != nil && clock.lock == .acquiring
    self.tempo = isLocking ? nil : tempo
  }

  /// The position as bar and beat, quarter notes, ticks, clock time, time code and sample, and the
  /// tempo.
  package var text: String {
    get throws {
      let music = try [TimeFormat.barBeat, .beats, .ticks].map(value)
      let time = try [minutes] + [TimeFormat.timecode, .samples].map(value)
      return (music + time + [tempoText] + doubt).joined(separator: "  ")
    }
  }

  /// The position in minutes and seconds, to the nearest microsecond.
  ///
  /// More digits would only show the rounding of the tempo, which is a whole number of 10 ns per
  /// quarter note.
  private var minutes: String {
    get throws {
      let count = try (context.seconds(of: place) * 1_000_000).rounded(.nearest).value
      return try TimeValue.number(Ratio(count, over: 1_000_000)).text(as: .clock, Self.style)
    }
  }

  /// The JSON document, with a member for each format, named after its prefix.
  package var json: JSONValue {
    get throws {
      let words: [TimeFormat] = [.barBeat, .clock, .timecode]
      let numbers: [TimeFormat] = [.beats, .ticks, .seconds, .samples, .frames, .midiClocks]
      var members: [(name: String, value: JSONValue)] = [("v", 1), ("type", "position")]
      for format in words { members.append((format.rawValue, .text(try value(format)))) }
      for format in numbers { members.append((format.rawValue, .decimal(try value(format)))) }
      members.append(("host", .integer(Int(time.nanoseconds))))
      if let tempo { members.append(("tempo", .decimal(tempo.decimal(4)))) }
      if isUncertain { members.append(("uncertain", .bool(true))) }
      return .object(members)
    }
  }

  /// The word `uncertain` if the position may be off by whole MIDI clocks; otherwise empty.
  package var doubt: [String] { isUncertain ? ["uncertain"] : [] }

  package var tempoText: String {
    isLocking ? "locking" : tempo.map { "\($0.decimal(2)) bpm" } ?? "- bpm"
  }

  /// The position in a format, rounded down.
  package func value(_ format: TimeFormat) throws -> String {
    try context.value(of: place, in: format, rounding: .floor).value
      .text(as: format, Self.style, days: .wrap)
  }
}
