// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Sends each window's events to the sinks and keeps the ledger of what sounds at each.
///
/// What a sink has no room for is kept and offered first in the next window, in order. There is
/// exactly one place that could leave a note hanging, and it is this one.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public final class Router {
  private var routes: [Route]

  /// Creates a router to a number of sinks; every event goes to each.
  public init(sinks: [any EventSink]) {
    routes = sinks.map(Route.init(sink:))
  }

  /// Sends a window's events, after any that are still waiting.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func send(_ buffer: borrowing EventBuffer) throws {
    for index in routes.indices {
      if routes[index].waiting.isEmpty {
        let taken = try routes[index].offer(buffer)
        routes[index].keep(buffer, from: taken)
      } else {
        routes[index].keep(buffer, from: 0)
        try routes[index].sendWaiting()
      }
    }
  }

  /// Whether every sink has taken everything that was sent.
  public var isDrained: Bool { routes.allSatisfy { $0.waiting.isEmpty } }

  /// Cancels what is due from an instant on and releases everything that sounds, at that instant.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func silence(at time: HostTime) throws {
    for index in routes.indices {
      try routes[index].silence(at: time)
    }
  }

  /// Releases every note and pedal that is still held, at an instant; what sounds rings out.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func release(at time: HostTime) throws {
    for index in routes.indices {
      routes[index].release(at: time, cuttingSound: false)
      try routes[index].sendWaiting()
    }
  }
}

/// One sink, the ledger of what sounds there, and what it had no room for yet.
private struct Route {
  let sink: any EventSink
  private var ledger = NoteLedger()
  private(set) var waiting = EventBuffer()
  private var next = 0

  init(sink: any EventSink) {
    self.sink = sink
  }

  /// Offers a buffer's events and returns how many were taken.
  mutating func offer(_ buffer: borrowing EventBuffer) throws -> Int {
    try Self.offer(buffer, from: 0, to: sink, recordingIn: &ledger)
  }

  mutating func keep(_ buffer: borrowing EventBuffer, from start: Int) {
    for event in buffer.events[start...] {
      if case .sysEx(let place) = event.payload {
        let end = Int(place.offset) + Int(place.count)
        waiting.append(
          sysEx: buffer.payloads.span.extracting(Int(place.offset)..<end),
          time: event.time, track: event.track, generation: event.generation)
      } else {
        waiting.append(event)
      }
    }
  }

  mutating func sendWaiting() throws {
    next += try Self.offer(waiting, from: next, to: sink, recordingIn: &ledger)
    guard next == waiting.events.count else { return }
    waiting.removeAll()
    next = 0
  }

  mutating func silence(at time: HostTime) throws {
    sink.cancel(from: time)
    waiting.removeAll()
    next = 0
    release(at: time, cuttingSound: true)
    try sendWaiting()
  }

  mutating func release(at time: HostTime, cuttingSound: Bool) {
    for message in ledger.takeReleases(cuttingSound: cuttingSound) {
      waiting.append(TimedEvent(time: time, payload: .message(message)))
    }
  }

  private static func offer(
    _ buffer: borrowing EventBuffer, from start: Int, to sink: any EventSink,
    recordingIn ledger: inout NoteLedger
  ) throws -> Int {
    let events = buffer.events.span.extracting(start..<buffer.events.count)
    let taken = try sink.send(events, payloads: buffer.payloads.span)
    for index in 0..<taken {
      if case .message(let message) = events[index].payload { ledger.record(message) }
    }
    return taken
  }
}
