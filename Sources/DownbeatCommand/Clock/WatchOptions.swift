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

  @Flag(help: "Replace the plot where it is there already.")
  var overwrite = false
}

extension WatchOptions {
  private static let reportPeriod: Int64 = 1_000_000_000

  /// Watches until a signal or the end of the time.
  ///
  /// - Parameters:
  ///   - unit: what arrives, in the plural.
  ///   - status: the message that is measured.
  ///   - take: takes an event, or lets time pass.
  ///   - report: says how things stand.
  /// - Throws: where a port is not there, or the plot cannot be written.
  func watch(
    _ unit: String, status: UInt8,
    take: (TimedEvent?, ContiguousArray<UInt8>, HostTime) -> FollowerEvents,
    report: () -> String
  ) throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let plot = try svg.map { try OutputFile(path: $0, overwrite: overwrite) }
    var (input, keeper) = try ports.openInput(named: "downbeat watch", signals: wait)
    signals.holdForCleanUp()
    var meter = ArrivalMeter()
    var buffer = EventBuffer()
    let start = DeadlineWait.now
    let deadline = duration?.after(start) ?? .max
    var next = start + Self.reportPeriod
    var number: Int32?
    while number == nil, DeadlineWait.now < deadline {
      let outcome = wait.until(
        min(next, deadline), readable: input.descriptors + keeper.descriptors)
      if case .signal(let signal) = outcome { number = signal }
      try keeper.update()
      // Read before what has come is taken: all that is older is then there.
      let now = HostTime(nanoseconds: DeadlineWait.now)
      buffer.removeAll()
      try input.drain(into: &buffer)
      for event in buffer.events {
        try tell(take(event, buffer.payloads, event.time), &meter)
        if case .message(let message) = event.payload, message.status == status {
          meter.take(event.time)
        }
      }
      try tell(take(nil, [], now), &meter)
      guard now.nanoseconds >= next else { continue }
      next += Self.reportPeriod
      try Terminal.output(report())
    }
    try finish(meter, unit, plot)
    if let number { SignalWatch.die(by: number) }
  }

  private func tell(
    _ events: FollowerEvents, _ meter: inout ArrivalMeter
  ) throws(Failure) {
    for event in events {
      if event.breaksGrid { meter.beginRun() }
      guard let words = event.sentence else { continue }
      try Terminal.output(json ? event.json(words).description : words)
    }
  }

  private func finish(_ meter: ArrivalMeter, _ unit: String, _ plot: OutputFile?) throws {
    guard let summary = meter.summary else { return }
    if json {
      let head: [(name: String, value: JSONValue)] = [
        ("v", 1), ("type", "summary"), ("unit", .text(unit)),
      ]
      try Terminal.output(JSONValue.object(head + summary.json(count: meter.count)).description)
    } else {
      for line in summary.lines(of: unit, count: meter.count) { try Terminal.output(line) }
    }
    guard let plot else { return }
    let title = "\(meter.count) \(unit), jitter \(summary.jitter.decimal(4)) ms RMS"
    try plot.write(Array(summary.svg(title: title).utf8))
  }
}
