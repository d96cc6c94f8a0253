// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import JSONText
internal import MIDIMessages
internal import MusicalTime

/// Measures the MIDI clocks of ports.
struct ClockWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure a MIDI clock, or a session of Ableton Link: tempo, jitter, lock.",
    discussion: """
      A line a second, a line for each Start, Stop and Song Position, and at the end how evenly \
      the clocks came. Each port that is heard is followed on its own; where there are several, \
      its number stands first. With the word link it is a session of Ableton Link that is watched: \
      who is there, tempo, beat, and how far its clock was from where it was expected.

      EXAMPLES:
        downbeat clock watch -p UM-ONE
        downbeat clock watch -p UM-ONE --for 60s --svg jitter.svg
        downbeat clock watch -p UM-ONE --json | jq -c '[.tempo, .jitter_ms]'
        downbeat clock watch link
      """)

  /// What else than ports is watched.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case link
  }

  @Argument(help: "What else is watched.")
  var subject: Subject?

  @OptionGroup var options: WatchOptions

  func validate() throws {
    guard subject == nil || (options.ports.port.isEmpty && options.svg == nil) else {
      throw ValidationError("clock watch link: -p and --svg are for MIDI clocks")
    }
  }

  func run() throws {
    if subject == .link {
      return try LinkWatch(json: options.json, duration: options.duration).run()
    }
    try options.watch("MIDI clocks", as: WatchedMIDIClock.self)
  }
}

/// The MIDI clock of one port.
private struct WatchedMIDIClock: WatchedClock {
  static let status: UInt8 = 0xF8
  private var follower = MIDIClockFollower()

  static func concerns(_ payload: EventPayload) -> Bool {
    guard case .message(let message) = payload else { return false }
    return [0xF2, 0xF8, 0xFA, 0xFB, 0xFC].contains(message.status)
  }

  mutating func take(
    _ event: HostEvent, _ payloads: ContiguousArray<UInt8>
  ) -> FollowerEvents {
    guard case .message(let message) = event.payload else {
      return follower.advance(to: event.time)
    }
    return follower.take(message, at: event.time)
  }

  mutating func advance(to now: HostTime) -> FollowerEvents { follower.advance(to: now) }

  var text: String {
    guard let tempo = follower.tempo, let estimate = follower.estimate else {
      return "no clock"
    }
    let beat = Ratio(follower.position.count, over: 24).decimal(3)
    let place = "\(follower.transport) at beat \(beat)"
    // What is measured before it is known would say more than there is.
    guard follower.lock != .acquiring else { return "locking, \(place)" }
    return "\(tempo.beatsPerMinute.decimal(2)) bpm ±\(tempo.deviation.decimal(2)),"
      + " jitter \((estimate.jitter / 1e6).decimal(3)) ms, \(follower.lock), \(place),"
      + " \(follower.lostClocks) lost, \(follower.doubledClocks) doubled"
  }

  var members: [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [("type", "clock")]
    if let tempo = follower.tempo, let estimate = follower.estimate, follower.lock != .acquiring {
      members += [
        ("tempo", .decimal(tempo.beatsPerMinute.decimal(4))),
        ("tempo_sd", .decimal(tempo.deviation.decimal(4))),
        ("jitter_ms", .decimal((estimate.jitter / 1e6).decimal(4))),
        ("phase_error_ms", .decimal((estimate.phaseError / 1e6).decimal(4))),
      ]
    }
    members += [
      ("lock", .text("\(follower.lock)")), ("transport", .text("\(follower.transport)")),
      ("clock", .integer(Int(follower.position.count))), ("lost", .integer(follower.lostClocks)),
      ("doubled", .integer(follower.doubledClocks)),
    ]
    return members
  }
}
