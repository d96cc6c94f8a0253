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
    abstract: "Measure a MIDI clock: tempo, jitter, missing clocks, lock.",
    discussion: """
      A line a second, a line for each Start, Stop and Song Position, and at the end how evenly \
      the clocks came. Each port that is heard is followed on its own; where there are several, \
      its number stands first.

      EXAMPLES:
        downbeat clock watch -p UM-ONE
        downbeat clock watch -p UM-ONE --for 60s --svg jitter.svg
        downbeat clock watch -p UM-ONE --json | jq -c '[.tempo, .jitter_ms]'
      """)

  @OptionGroup var options: WatchOptions

  func run() throws {
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
