// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The command `downbeat monitor`, which prints the events that ports send.
package struct Monitor: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "monitor", abstract: "Print the MIDI events that ports send, with times.",
    discussion: """
      Times are kernel timestamps, in seconds since the start. Channels and programs are numbered \
      from 1 in text and from 0 in JSON. A port that disappears is reconnected when it returns. If \
      events arrive faster than they can be printed, up to 65,536 events are kept; if more arrive, \
      a message reports the loss.

      EXAMPLES:
        downbeat monitor -p UM-ONE                   print what a keyboard sends
        downbeat monitor                             open a port for other programs
        downbeat monitor -p 20 --kind note,bend --channel 1-4
        downbeat monitor --rtp desk                  open a session on the network
        downbeat monitor -p 20 --json | jq -c .bytes
      """)

  @OptionGroup package var ports: PortOptions
  @OptionGroup package var session: SessionOptions
  @OptionGroup package var filtering: FilterOptions

  @Flag(help: "Print one JSON document per line.")
  package var json = false

  @Option(parsing: .unconditional, help: "End after this many events.")
  package var count: Int?

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  package func validate() throws {
    try session.check(ports.port.isEmpty && !ports.wait, against: "--port and --wait")
  }

  package func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let system = self.session.system(named: "downbeat monitor")
    let sources = try ports.endpoints(.source, of: system, beside: self.session, loop: loop)
    let input = try InputPorts(
      self.session.name(or: "monitor"), from: sources, of: system, readsAhead: true)
    signals.holdForCleanUp()
    if !json { try Terminal.output(MonitorLine.head) }
    if sources.isEmpty { Terminal.say("downbeat: waiting for events on port \(input)") }
    var session = MonitorSession(
      input: input, filter: try filtering.filter, json: json, keys: filtering.octaves.keys,
      left: count ?? .max)
    session.deadline = duration?.after(session.origin.nanoseconds)
    if let number = try loop.run(&session) { SignalWatch.die(by: number) }
  }
}

/// The work of the monitor in the run loop.
private struct MonitorSession: RunLoopBody {
  let input: InputPorts
  let filter: MessageFilter
  let json: Bool
  let keys: KeyWords
  var left: Int
  let origin = HostTime(nanoseconds: DeadlineWait.now)
  private var buffer = HostEventBuffer()
  private var overflows = 0
  /// The time at which it ends, in nanoseconds of the monotonic clock; nil for no limit.
  var deadline: Int64?

  init(input: InputPorts, filter: MessageFilter, json: Bool, keys: KeyWords, left: Int) {
    self.input = input
    self.filter = filter
    self.json = json
    self.keys = keys
    self.left = left
  }

  var descriptors: [Int32] { input.descriptors + input.keeper.descriptors }

  mutating func turn() throws -> Bool {
    guard left > 0, DeadlineWait.now < deadline ?? .max else { return false }
    try show()
    return left > 0
  }

  private mutating func show() throws {
    try input.keeper.update().told()
    buffer.removeAll()
    try input.drain(into: &buffer)
    var lines: [String] = []
    for event in buffer.events where passes(event) && left > 0 {
      let line = MonitorLine(
        event: event, payloads: buffer.payloads, source: input.senderName(event.track),
        origin: origin, keys: keys)
      if let text = json ? line.json?.description : line.text { lines.append(text) }
      left -= 1
      if lines.count == Self.batch { try write(&lines) }
    }
    try write(&lines)
    tellLosses()
  }

  /// The number of lines written at once, because a system call for each would be too slow.
  private static let batch = 64

  private func write(_ lines: inout [String]) throws {
    guard !lines.isEmpty else { return }
    if json { try Terminal.output(data: lines) } else { try Terminal.output(lines) }
    lines.removeAll(keepingCapacity: true)
  }

  private mutating func tellLosses() {
    guard input.overflows > overflows else { return }
    overflows = input.overflows
    Terminal.report(
      "some events were lost: they arrived faster than they could be printed"
        + " (\(overflows.counted("time")) so far)")
  }

  private func passes(_ event: HostEvent) -> Bool {
    switch event.payload {
    case .message(let message): filter.passes(message)
    case .sysEx: filter.kinds.contains(.sysEx)
    case .parameter, .fact, .sysExPart: false
    }
  }
}
