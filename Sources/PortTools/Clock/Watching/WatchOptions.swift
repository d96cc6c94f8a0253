// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// What the watching commands share: a port, how long, and the form of what they say.
struct WatchOptions: ParsableArguments {
  @OptionGroup package var ports: PortOptions
  @OptionGroup package var session: SessionOptions

  @Option(name: .customLong("for"), parsing: .unconditional, help: "End after a time, such as 10s.")
  var duration: TypedTime?

  @Flag(help: "Write one JSON document a line.")
  package var json = false

  @Option(help: "Plot at the end how far each arrival was from a straight line.")
  var svg: String?

  @Flag(help: "Replace the plot where it is there already.")
  package var overwrite = false

  package func validate() throws {
    try session.check(ports.port.isEmpty && !ports.wait, against: "--port and --wait")
  }
}

extension WatchOptions {
  private static let reportPeriod: Int64 = 1_000_000_000

  /// Watches until a signal or the end of the time.
  ///
  /// - Parameters:
  ///   - unit: what arrives, in the plural.
  ///   - clock: what is followed at each port.
  /// - Throws: where a port is not there, or the plot cannot be written.
  func watch<Clock: WatchedClock>(_ unit: String, as clock: Clock.Type) throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let plot = try svg.map { try OutputFile(path: $0, overwrite: overwrite) }
    let input = try ports.openInput(named: "downbeat watch", as: session, signals: wait)
    signals.holdForCleanUp()
    var run = WatchRun<Clock>(json: json)
    var buffer = HostEventBuffer()
    let start = DeadlineWait.now
    let deadline = duration?.after(start) ?? .max
    var next = start + Self.reportPeriod
    var number: Int32?
    while number == nil, DeadlineWait.now < deadline {
      let outcome = wait.until(
        min(next, deadline), readable: input.descriptors + input.keeper.descriptors)
      if case .signal(let signal) = outcome { number = signal }
      try input.keeper.update().told()
      // Read before what has come is taken: all that is older is then there.
      let now = HostTime(nanoseconds: DeadlineWait.now)
      buffer.removeAll()
      try input.drain(into: &buffer)
      for event in buffer.events {
        try run.take(event, buffer.payloads, from: input.senderName(event.track))
      }
      try run.advance(to: now)
      guard now.nanoseconds >= next else { continue }
      next += Self.reportPeriod
      try run.report()
    }
    try run.finish(unit, plot)
    if let number { SignalWatch.die(by: number) }
  }
}
