// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import JSONText
package import MusicalTime
internal import PlayerControl

/// Where a clock is at an instant, in every format.
package struct ClockReading {
  private static let style = TimeValue.Style()

  package let place: TimePosition
  package let time: HostTime
  package let context: TimeContext
  /// Quarter notes a minute; nil while the clock stands, or is not known yet.
  package let tempo: Double?
  /// Whether the clock runs at a tempo that is not known yet.
  let isLocking: Bool
  /// Whether the position may be off by whole MIDI clocks.
  package let isUncertain: Bool

  /// Reads a clock at an instant, between its ticks too, or says what it has at a tick reached
  /// before.
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

  /// Bar and beat, quarter notes, ticks, clock time, label, sample and tempo.
  package var text: String {
    get throws {
      let music = try [TimeFormat.barBeat, .beats, .ticks].map(value)
      let time = try [minutes] + [TimeFormat.timecode, .samples].map(value)
      return (music + time + [tempoText] + doubt).joined(separator: "  ")
    }
  }

  /// Minutes and seconds, to the nearest microsecond: a tempo is a whole number of 10 ns per
  /// quarter note, so more digits would show its rounding.
  private var minutes: String {
    get throws {
      let count = try (context.seconds(of: place) * 1_000_000).rounded(.nearest).value
      return try TimeValue.number(Ratio(count, over: 1_000_000)).text(as: .clock, Self.style)
    }
  }

  /// A member for each format, by the name of its prefix.
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

  /// A word where the position may be off by whole MIDI clocks.
  package var doubt: [String] { isUncertain ? ["uncertain"] : [] }

  package var tempoText: String {
    isLocking ? "locking" : tempo.map { "\($0.decimal(2)) bpm" } ?? "- bpm"
  }

  /// The position in a format, never ahead of it.
  package func value(_ format: TimeFormat) throws -> String {
    try context.value(of: place, in: format, rounding: .floor).value
      .text(as: format, Self.style, days: .wrap)
  }
}
