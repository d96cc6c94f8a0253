// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIMessages
internal import MusicalTime

/// The command `downbeat clock watch`, which measures clocks of any kind.
struct ClockWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure the position, tempo or rate, and jitter of a clock.",
    discussion: """
      Prints a line per second, with the same columns for every kind of clock, and a line per \
      event. The clock can be a MIDI clock (midi:PORT or -p PORT), MIDI time code (mtc:PORT), \
      linear time code on a sound device (ltc:DEVICE), Ableton Link (link) or a clock of `clock \
      serve` (clock:NAME, or NAME while it runs). If several ports send, each is followed \
      separately, and each line begins with the name of its port. For MIDI clock and MIDI time \
      code, the last lines show the jitter of the clocks or quarter frames.

      EXAMPLES:
        downbeat clock watch -p UM-ONE
        downbeat clock watch midi:UM-ONE --for 60s --svg jitter.svg
        downbeat clock watch midi:UM-ONE --json | jq -c '[.tempo, .jitter_ms]'
        downbeat clock watch ltc:hw:1
        downbeat clock watch link
      """)

  @Argument(
    help: ArgumentHelp(
      "Clock to measure: midi:PORT, mtc:PORT, ltc:DEVICE, clock:NAME or link. Default: the MIDI"
        + " clock of the port given with -p.", valueName: "master"),
    completion: .masters)
  var master: SyncSource?

  @Option(
    help: ArgumentHelp("Clock to measure, like the argument MASTER.", valueName: "master"),
    completion: .masters)
  var sync: SyncSource?

  @OptionGroup var options: WatchOptions
  @OptionGroup var link: LinkInterfaceOption

  private var subject: SyncSource? { master ?? sync }

  func validate() throws {
    guard master == nil || sync == nil else { throw FollowOptions.twoMasters }
    try link.check(subject)
    guard let subject else { return }
    guard options.ports.port.isEmpty else {
      throw ValidationError("-p and \(subject.name) each select a clock (use one of them)")
    }
    guard options.svg == nil || subject.kind == .midi || subject.kind == .mtc else {
      throw ValidationError("--svg: draws only MIDI clock and MIDI time code")
    }
  }

  func run() throws {
    var options = options
    guard let subject else { return try options.watch("MIDI clocks", as: WatchedMIDIClock.self) }
    switch subject.kind {
    case .midi:
      options.ports.port = subject.targets
      try subject.explained { try options.watch("MIDI clocks", as: WatchedMIDIClock.self) }
    case .mtc:
      options.ports.port = subject.targets
      try options.watch("quarter frames", as: WatchedTimecode.self)
    case .link:
      try LinkWatch(
        json: options.json, duration: options.duration, interfaces: link.linkInterface
      ).run()
    case .ltc, .clock, .jack:
      var watch = try MasterWatch(subject, json: options.json, duration: options.duration)
      try watch.run()
    }
  }
}

/// Measures the MIDI clock from one port.
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

  var line: WatchedLine {
    var line = WatchedLine(.midi)
    line.lock = follower.lock
    line.transport = follower.transport
    line.beat = Double(follower.position.count) / 24
    // Before the tempo is known, its measurement would look more exact than it is.
    if let tempo = follower.tempo, follower.lock != .acquiring {
      line.tempo = (tempo.beatsPerMinute, tempo.deviation)
      line.set(follower.estimate)
    }
    line.facts = [
      .init(name: "clock", value: .integer(Int(follower.position.count))),
      .init(counted: "lost", follower.lostClocks),
      .init(counted: "doubled", follower.doubledClocks),
    ]
    return line
  }
}
