// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
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
public final class ALSAThruConnection: ThruConnection {
  /// Whether the kernel carries the events.
  public let isInKernel: Bool

  private let client: ALSAClient
  private var sources: [Endpoint]
  private var destinations: [Endpoint]
  private let input: ALSAInputPort
  private let output: ALSAOutputPort
  private var senders: ThruSenders
  private var keeper: PortKeeper?
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
  ///   - senders: what passes, and how it changes.
  /// - Throws: `EndpointError.vanished` where a port went away.
  public init(
    _ client: ALSAClient, from sources: [Endpoint], to destinations: [Endpoint],
    through senders: ThruSenders = ThruSenders()
  ) throws {
    self.client = client
    self.sources = sources
    self.destinations = destinations
    self.senders = senders
    isInKernel = senders.isIdentity
    input = try ALSAInputPort(client, name: "thru in", keepsPieces: true)
    output = try ALSAOutputPort(client, name: "thru out", sysEx: .pieces)
    for source in sources { try connect(source) }
    for destination in destinations { try connect(destination) }
    if isInKernel { output.assumeEverything() }
    keeper = try PortKeeper(sources + destinations, of: PortSystem(client)) { [unowned self] in
      try connect($0)
    }
  }

  /// What becomes readable when there is something to carry, or a port has come or gone.
  public var descriptors: [Int32] { input.descriptors + (keeper?.descriptors ?? []) }

  /// Connects again what is back.
  ///
  /// - Throws: `EndpointError` where the sequencer is gone.
  public func update() throws -> [PortKeeper.Change] { try keeper?.update() ?? [] }

  private func connect(_ endpoint: Endpoint) throws(EndpointError) {
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
      senders.forget()
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
    changed.removeAll()
    senders.apply(event, payloads: received.payloads.span, into: &changed)
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
