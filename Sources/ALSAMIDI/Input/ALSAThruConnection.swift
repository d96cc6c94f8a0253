// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
internal import MusicalTime
internal import Realtime

/// A connection that passes events from sources to destinations, and can filter and change them.
///
/// If events are not filtered or changed, sources and destinations are connected directly in the
/// kernel, and events do not pass through this process. Otherwise `pump()` passes the events.
/// Sounding notes are stored per sender, so a note-off always matches its note. A SysEx of any
/// length is passed in pieces as they arrive, while events of other senders wait. If more than
/// 4,096 events or 256 KiB are waiting, the SysEx is cut short.
///
/// - Note: Owned by one thread. Not real-time safe.
public final class ALSAThruConnection: ThruConnection {
  /// True if the kernel passes the events.
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

  /// Connects sources to destinations.
  ///
  /// - Parameters:
  ///   - client: The client that creates the ports.
  ///   - sources: The ports to receive from.
  ///   - destinations: The ports to send to.
  ///   - senders: The filter and transform; by default all events pass unchanged.
  /// - Throws: `EndpointError.vanished` if a port has disappeared.
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

  /// The file descriptors that become readable when there are events to pass, or when a port has
  /// appeared or disappeared.
  public var descriptors: [Int32] { input.descriptors + (keeper?.descriptors ?? []) }

  /// Reconnects ports that have returned.
  ///
  /// - Returns: The ports that have disappeared or returned since the last call.
  /// - Throws: `EndpointError` if the sequencer is not available any more.
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
      // The note-offs are always sent from our port.
      try output.connect(to: endpoint)
      if isInKernel {
        for source in sources { try join(source, endpoint, naming: endpoint) }
      }
    }
  }

  /// Passes all events that have arrived.
  ///
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
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

  /// True if all received events were passed on.
  ///
  /// If false, call `pump()` again soon.
  public var isIdle: Bool { next == sending.events.count && order.isIdle }

  /// Disconnects the ports and releases sounding notes.
  ///
  /// If the kernel passed the events, all channels are silenced, because it is unknown which notes
  /// sound.
  public func end() {
    if isInKernel {
      for source in sources {
        for destination in destinations { separate(source, destination) }
      }
    }
    output.silence()
  }

  /// Passes events again after `end()`, between the ports that still exist.
  ///
  /// Sounding notes, and events received in the meantime, are discarded.
  ///
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
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
          // It is reconnected when it returns.
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
      // A port that is gone is not connected.
      return
    }
  }
}
