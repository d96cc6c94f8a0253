// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Carries what comes from some sources to some destinations, filtered and changed on the way.
///
/// Where nothing is filtered or changed the kernel does it: sources and destinations are connected
/// to each other, and no event passes through this process. Otherwise `pump` carries events; each
/// sender has its own memory of held notes, so that a release always follows its note. A SysEx of
/// any length passes piece by piece, as it comes, and what others send meanwhile waits: at most
/// 4,096 events and 256 KiB, then it is cut short.
///
/// - Note: owned by one thread. Not real-time safe.
public final class ThruConnection {
  /// Whether the kernel carries the events.
  public let isInKernel: Bool

  private let client: ALSAClient
  private let map: ThruMap
  private let controls: ControlMap
  private var sources: [Endpoint]
  private var destinations: [Endpoint]
  private let input: InputPort
  private let output: OutputPort
  private var senders: [UInt16: (controls: ControlMap, map: ThruMap)] = [:]
  private var order = SysExOrder()
  private var received = HostEventBuffer()
  private var changed = HostEventBuffer()
  private var sending = HostEventBuffer()
  private var next = 0

  /// Connects.
  ///
  /// - Parameters:
  ///   - client: the client whose ports are used.
  ///   - sources: where events come from.
  ///   - destinations: where they go.
  ///   - map: what passes, and how it changes.
  ///   - controls: what becomes of controllers and parameters first.
  /// - Throws: `EndpointError.vanished` where a port went away.
  public init(
    _ client: ALSAClient, from sources: [Endpoint], to destinations: [Endpoint],
    through map: ThruMap = ThruMap(), controls: ControlMap = ControlMap()
  ) throws(EndpointError) {
    self.client = client
    self.sources = sources
    self.destinations = destinations
    self.map = map
    self.controls = controls
    isInKernel = map.isIdentity && controls.changes.isEmpty
    input = try InputPort(client, name: "thru in", keepsPieces: true)
    output = try OutputPort(client, name: "thru out", sysEx: .pieces)
    for source in sources { try connect(source) }
    for destination in destinations { try connect(destination) }
    if isInKernel { output.assumeEverything() }
  }

  /// What becomes readable when there is something to carry.
  public var descriptors: [Int32] { input.descriptors }

  /// Connects an endpoint anew that went away and came back, whatever its numbers are now.
  ///
  /// - Throws: `EndpointError.vanished` where it went away again.
  public func connect(_ endpoint: Endpoint) throws(EndpointError) {
    switch endpoint.direction {
    case .source:
      sources = replacing(endpoint, in: sources)
      if isInKernel {
        for destination in destinations { try join(endpoint, destination, naming: endpoint) }
      } else {
        try input.connect(to: endpoint)
      }
    case .destination:
      destinations = replacing(endpoint, in: destinations)
      // Its releases come from our port whoever carries the events.
      try output.connect(to: endpoint)
      if isInKernel {
        for source in sources { try join(source, endpoint, naming: endpoint) }
      }
    }
  }

  /// Carries everything that has come.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func pump() throws(EndpointError) {
    received.removeAll()
    try input.drain(into: &received)
    if next == sending.events.count {
      sending.removeAll()
      next = 0
    }
    for event in received.events { take(event) }
    order.settle(at: HostTime(nanoseconds: DeadlineWait.now), into: &sending)
    next += try output.send(sending, from: next)
  }

  /// Whether everything that came was handed on; if not, pump again soon.
  public var isIdle: Bool { next == sending.events.count && order.isIdle }

  /// Disconnects, and releases what sounds.
  ///
  /// Where the kernel carried the events it is not known what sounds: every channel is silenced.
  public func end() {
    if isInKernel {
      for source in sources {
        for destination in destinations { separate(source, destination) }
      }
    }
    output.silence()
  }

  /// Passes events again after `close`, between those ports that are still there.
  ///
  /// What was held or had come while it was closed is forgotten.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func reopen() throws(EndpointError) {
    guard isInKernel else {
      received.removeAll()
      try input.drain(into: &received)
      senders = [:]
      order = SysExOrder()
      return
    }
    output.assumeEverything()
    for source in sources {
      for destination in destinations {
        do {
          try join(source, destination, naming: destination)
        } catch EndpointError.vanished {
          // It is connected again when it returns.
        }
      }
    }
  }

  private func take(_ event: HostEvent) {
    var sender = senders[event.track] ?? (controls, map)
    defer { senders[event.track] = sender }
    changed.removeAll()
    if case .message(let message) = event.payload {
      var messages: [Message] = []
      sender.controls.apply(message) { messages.append($0) }
      for message in messages.compactMap({ sender.map.apply($0) }) {
        changed.append(
          HostEvent(time: event.time, payload: .message(message), track: event.track))
      }
    } else {
      sender.map.apply(event, payloads: received.payloads.span, into: &changed)
    }
    for event in changed.events {
      order.take(event, payloads: changed.payloads.span, into: &sending)
    }
  }

  private func replacing(_ endpoint: Endpoint, in list: [Endpoint]) -> [Endpoint] {
    list.filter { $0.deviceName != endpoint.deviceName || $0.name != endpoint.name } + [endpoint]
  }

  private func join(
    _ source: Endpoint, _ destination: Endpoint, naming endpoint: Endpoint
  ) throws(EndpointError) {
    let connection = EndpointConnection(
      source: source.address, destination: destination.address)
    try client.connect(connection, naming: endpoint)
    client.guardian?.tell(.joined(connection))
  }

  private func separate(_ source: Endpoint, _ destination: Endpoint) {
    let connection = EndpointConnection(
      source: source.address, destination: destination.address)
    do {
      try client.disconnect(connection)
    } catch {
      // A port that is gone took its connections with it.
      return
    }
  }
}
