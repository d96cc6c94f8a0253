// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// Ports of ours that receive, one for each kind of source, kept connected to them, as one input.
///
/// Events have in `track` their senders' addresses, which are of one kind each.
///
/// - Note: one thread drains, and one, which may be another, updates. Not real-time safe.
public final class InputPorts: EventInput, CustomStringConvertible {
  /// The ports; where no source is named, one that others connect to.
  public let members: [any InputPort]
  /// The sources, as they were when the ports were connected.
  public let sources: [Endpoint]
  /// Connects them again.
  public let keeper: PortKeeper
  private let kinds: [PortKind]

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - name: what other programs see; a kind may stand before it, for a port without sources.
  ///   - sources: what is received from.
  ///   - system: where they are opened.
  ///   - readsAhead: whether what comes is kept, up to 65,536 events, while whoever drains takes
  ///     his time.
  /// - Throws: `EndpointError.vanished` where a source went away.
  public init(
    _ name: String, from sources: [Endpoint], of system: PortSystem, readsAhead: Bool = false
  ) throws {
    let (kind, name) = system.split(name)
    let kinds =
      sources.isEmpty ? [kind ?? system.ownKind] : sources.map(\.kind).uniqued
    let members = try kinds.map {
      try system.provider(of: $0).makeInput(named: name, readsAhead: readsAhead)
    }
    keeper = try PortKeeper(sources, of: system) { endpoint in
      for (kind, member) in zip(kinds, members) where kind == endpoint.kind {
        try member.connect(to: endpoint)
      }
    }
    for source in sources {
      for (kind, member) in zip(kinds, members) where kind == source.kind {
        try member.connect(to: source)
      }
    }
    (self.kinds, self.members, self.sources) = (kinds, members, sources)
  }

  /// Creates a port of one kind and connects it.
  ///
  /// - Throws: `EndpointError.vanished` where a source went away.
  public convenience init(
    _ name: String, from sources: [Endpoint], of provider: any PortProvider,
    readsAhead: Bool = false
  ) throws {
    try self.init(name, from: sources, of: PortSystem(provider), readsAhead: readsAhead)
  }

  /// The ports as one input for another thread than the one that updates; one port is it itself.
  public var input: any EventInput { members.count == 1 ? members[0] : self }

  /// What becomes readable when there is something to drain.
  public var descriptors: [Int32] { members.flatMap(\.descriptors) }

  /// Appends everything received since the last call, by time where there are several ports.
  ///
  /// - Throws: where what has a port is gone.
  public func drain(into buffer: inout HostEventBuffer) throws {
    for member in members { try member.drain(into: &buffer) }
    if members.count > 1 { buffer.sortByTime() }
  }

  /// How often events were lost because nobody drained them in time.
  public var overflows: Int { members.reduce(0) { $0 + $1.overflows } }

  /// How a person names the first port to others: `129:0`.
  public var description: String { members[0].description }

  /// What a person calls the sender of an event with this `track`: `20:0`, `rtp:studio`.
  public func senderName(_ track: UInt16) -> String {
    let client = EndpointAddress(track: track).client
    let place = kinds.firstIndex { EndpointNumbering.clients(of: $0).contains(client) }
    return members[place ?? 0].senderName(track)
  }
}
