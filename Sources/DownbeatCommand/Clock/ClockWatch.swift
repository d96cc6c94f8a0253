// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import Downbeat
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// What the watching commands share: a port, how long, and the form of what they say.
struct WatchOptions: ParsableArguments {
  @OptionGroup var ports: PortOptions

  @Option(name: .customLong("for"), help: "End after a time, such as 10s.")
  var duration: Duration?

  @Flag(help: "Write one JSON document a line.")
  var json = false

  @Option(help: "Plot at the end how far each arrival was from a straight line.")
  var svg: String?
}

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
    } report: { json in
      json ? Self.json(follower) : Self.text(follower)
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

/// Measures the MIDI time code of a port.
struct TimecodeWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure MIDI time code: label, rate, speed, jitter, lock.",
    discussion: """
      A line a second, a line for each event, and at the end how evenly the quarter frames came.

      EXAMPLES:
        downbeat mtc watch -p UM-ONE
        downbeat mtc watch -p UM-ONE --for 60s --svg jitter.svg
      """)

  @OptionGroup var options: WatchOptions

  func run() throws {
    var follower = MTCFollower()
    try options.watch("quarter frames", status: 0xF1) { event, payloads, now in
      switch event?.payload {
      case .message(let message): return follower.take(message, at: now)
      case .sysEx(let place):
        let range = Int(place.offset)..<Int(place.offset + place.count)
        return follower.take(sysEx: payloads.span.extracting(range), at: now)
      default: return follower.advance(to: now)
      }
    } report: { json in
      json ? Self.json(follower) : Self.text(follower)
    }
  }

  private static func text(_ follower: MTCFollower) -> String {
    guard let position = follower.position else { return "no time code" }
    let rate = follower.recognizedRate ?? FrameRate(mtcCode: position.code)
    let speed = follower.speed.map { ", speed \($0.decimal(4))" } ?? ""
    let jitter = follower.estimate.map { ", jitter \(($0.jitter / 1e6).decimal(3)) ms" } ?? ""
    return "\(FollowedPosition.timecode(position).words) at \(rate)\(speed)\(jitter),"
      + " \(follower.lock), \(follower.lostQuarterFrames) lost"
  }

  private static func json(_ follower: MTCFollower) -> String {
    var members: [(name: String, value: JSONValue)] = [("v", 1), ("type", "mtc")]
    if let position = follower.position {
      let rate = follower.recognizedRate ?? FrameRate(mtcCode: position.code)
      members += [
        ("label", .text(FollowedPosition.timecode(position).words)),
        ("quarter_frame", .integer(Int(position.count))), ("rate", .text("\(rate)")),
      ]
    }
    if let speed = follower.speed { members.append(("speed", .decimal(speed.decimal(6)))) }
    if let estimate = follower.estimate {
      members.append(("jitter_ms", .decimal((estimate.jitter / 1e6).decimal(4))))
    }
    members += [
      ("lock", .text("\(follower.lock)")), ("transport", .text("\(follower.transport)")),
      ("lost", .integer(follower.lostQuarterFrames)),
    ]
    return JSONValue.object(members).description
  }
}

extension WatchOptions {
  /// Watches until a signal or the end of the time.
  ///
  /// - Parameters:
  ///   - unit: what arrives, in the plural.
  ///   - status: the message that is measured.
  ///   - take: takes an event, or lets time pass.
  ///   - report: says how things stand, as text or JSON.
  /// - Throws: where a port is not there, or the plot cannot be written.
  func watch(
    _ unit: String, status: UInt8,
    take: (TimedEvent?, ContiguousArray<UInt8>, HostTime) -> FollowerEvents,
    report: (Bool) -> String
  ) throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let input = try ports.openInput(named: "downbeat watch", signals: wait)
    signals.holdForCleanUp()
    var meter = ArrivalMeter()
    var buffer = EventBuffer()
    let deadline = duration.map { DeadlineWait.now + $0.nanoseconds }
    var next = DeadlineWait.now + 1_000_000_000
    var number: Int32?
    while number == nil, deadline.map({ DeadlineWait.now < $0 }) ?? true {
      let limit = min(next, deadline ?? .max)
      if case .signal(let signal) = wait.until(limit, readable: input.descriptors) {
        number = signal
      }
      buffer.removeAll()
      try input.drain(into: &buffer)
      for event in buffer.events {
        if case .message(let message) = event.payload, message.status == status {
          meter.take(event.time)
        }
        tell(take(event, buffer.payloads, event.time))
      }
      tell(take(nil, [], HostTime(nanoseconds: DeadlineWait.now)))
      guard DeadlineWait.now >= next else { continue }
      next += 1_000_000_000
      Terminal.output(report(json))
    }
    try finish(meter, unit)
    if let number { SignalWatch.die(by: number) }
  }

  private func tell(_ events: FollowerEvents) {
    for event in events {
      guard let words = event.sentence else { continue }
      Terminal.output(
        json
          ? JSONValue.object([("v", 1), ("type", "clock-event"), ("event", .text(words))])
            .description : words)
    }
  }

  private func finish(_ meter: ArrivalMeter, _ unit: String) throws {
    guard let summary = meter.summary else { return }
    if json {
      let head: [(name: String, value: JSONValue)] = [
        ("v", 1), ("type", "clock-summary"), ("unit", .text(unit)),
      ]
      Terminal.output(JSONValue.object(head + summary.json(count: meter.count)).description)
    } else {
      for line in summary.lines(of: unit, count: meter.count) { Terminal.output(line) }
    }
    guard let svg else { return }
    let title = "\(meter.count) \(unit), jitter \(summary.jitter.decimal(4)) ms RMS"
    let file = try OutputFile(path: svg, overwrite: true)
    try file.write(Array(summary.svg(title: title).utf8))
  }
}

extension PortOptions {
  /// Opens a port that hears those named, or that others connect to.
  func openInput(named name: String, signals: SignalWait) throws -> InputPort {
    let client = try ALSAClient(name: name)
    let sources = try endpoints(.source, of: client, signals: signals)
    let input = try InputPort(client, name: "in")
    for source in sources { try input.connect(to: source) }
    if sources.isEmpty { Terminal.say("downbeat: waiting for data at port \(input.address)") }
    return input
  }
}
