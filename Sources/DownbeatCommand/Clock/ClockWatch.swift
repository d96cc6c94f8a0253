// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Measures the MIDI clock of a port.
struct ClockWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure a MIDI clock: tempo, jitter, missing clocks, lock.",
    discussion: """
      A line a second, a line for each Start, Stop and Song Position, and at the end how evenly \
      the clocks came.

      EXAMPLES:
        downbeat clock watch -p UM-ONE
        downbeat clock watch -p UM-ONE --for 60s --svg jitter.svg
        downbeat clock watch -p UM-ONE --json | jq -c '[.tempo, .jitter_ms]'
      """)

  @OptionGroup var options: WatchOptions

  func run() throws {
    var follower = MIDIClockFollower()
    try options.watch("MIDI clocks", status: 0xF8) { event, _, now in
      guard case .message(let message) = event?.payload else { return follower.advance(to: now) }
      return follower.take(message, at: now)
    } report: {
      options.json ? Self.json(follower) : Self.text(follower)
    }
  }

  private static func text(_ follower: MIDIClockFollower) -> String {
    guard let tempo = follower.tempo, let estimate = follower.estimate else {
      return "no clock"
    }
    let beat = Ratio(follower.position.count, over: 24).decimal(3)
    return "\(tempo.beatsPerMinute.decimal(2)) bpm ±\(tempo.deviation.decimal(2)),"
      + " jitter \((estimate.jitter / 1e6).decimal(3)) ms, \(follower.lock),"
      + " \(follower.transport) at beat \(beat), \(follower.lostClocks) lost,"
      + " \(follower.doubledClocks) doubled"
  }

  private static func json(_ follower: MIDIClockFollower) -> String {
    var members: [(name: String, value: JSONValue)] = [("v", 1), ("type", "clock")]
    if let tempo = follower.tempo, let estimate = follower.estimate {
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
    return JSONValue.object(members).description
  }
}
