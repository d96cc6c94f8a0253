// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The clock of one port, as a measuring command follows it.
protocol WatchedClock {
  /// The status byte of the message whose arrival is measured.
  static var status: UInt8 { get }
  init()
  /// Returns true if the clock uses an event.
  static func concerns(_ payload: HostEvent.Payload) -> Bool
  mutating func take(_ event: HostEvent, _ payloads: ContiguousArray<UInt8>) -> FollowerEvents
  mutating func advance(to now: HostTime) -> FollowerEvents
  /// The current state of the clock.
  var line: WatchedLine { get }
}

/// The clocks of all sending ports; each port is followed separately.
struct WatchRun<Clock: WatchedClock> {
  private struct Port {
    let name: String
    var clock = Clock()
    var meter = ArrivalMeter()
    var news = MasterNews(of: Clock().line.kind)
  }

  let json: Bool
  private var ports: [Port] = []
  private var places: [UInt16: Int] = [:]

  init(json: Bool) {
    self.json = json
  }

  /// Passes an event to the clock of its port; a port that sends for the first time gets a new
  /// clock.
  mutating func take(
    _ event: HostEvent, _ payloads: ContiguousArray<UInt8>, from sender: @autoclosure () -> String
  ) throws(Failure) {
    guard Clock.concerns(event.payload) else { return }
    let place = places[event.track] ?? ports.count
    if place == ports.count {
      ports.append(Port(name: sender()))
      places[event.track] = place
    }
    try tell(ports[place].clock.take(event, payloads), place)
    if case .message(let message) = event.payload, message.status == Clock.status {
      ports[place].meter.take(event.time)
    }
  }

  /// Advances all clocks to a time.
  mutating func advance(to now: HostTime) throws(Failure) {
    for place in ports.indices { try tell(ports[place].clock.advance(to: now), place) }
  }

  /// Prints a line for each port.
  func report() throws(Failure) {
    guard !ports.isEmpty else {
      let silent = Clock().line
      return try say(silent.text, silent.members, nil)
    }
    for port in ports {
      let line = port.clock.line
      try say(line.text, line.members, port)
    }
  }

  private mutating func tell(_ events: FollowerEvents, _ place: Int) throws(Failure) {
    for event in events {
      if event.breaksGrid { ports[place].meter.beginRun() }
      guard let words = ports[place].news.sentence(about: event) else { continue }
      try say(words, event.members(words), ports[place])
    }
  }

  /// Prints a line about a port, with its name if there are several, or always in JSON.
  private func say(
    _ words: String, _ members: [(name: String, value: JSONValue)], _ port: Port?
  ) throws(Failure) {
    guard json else { return try Terminal.output(label(port) + words) }
    let version: [(name: String, value: JSONValue)] = [("v", 1)]
    let name = port.map { [(name: "port", value: JSONValue.text($0.name))] } ?? []
    try Terminal.output(JSONValue.object(version + members + name))
  }

  private func label(_ port: Port?) -> String {
    guard let port, ports.count > 1 else { return "" }
    return "\(port.name)  "
  }

  /// Prints the jitter of each port's clock, and plots that of the port with the most messages.
  func finish(_ unit: String, _ plot: OutputFile?) throws {
    for port in ports {
      guard let summary = port.meter.summary else { continue }
      let head: [(name: String, value: JSONValue)] = [
        ("type", .text("summary")), ("unit", .text(unit)),
      ]
      guard !json else {
        try say("", head + summary.json(count: port.meter.count), port)
        continue
      }
      for line in summary.lines(of: unit, count: port.meter.count) {
        try Terminal.output(label(port) + line)
      }
    }
    guard let plot, let port = ports.max(by: { $0.meter.count < $1.meter.count }),
      let summary = port.meter.summary
    else { return }
    let title =
      "\(label(port))\(port.meter.count) \(unit), jitter \(summary.jitter.decimal(4)) ms RMS"
    try plot.write(Array(summary.svg(title: title).utf8))
  }
}
