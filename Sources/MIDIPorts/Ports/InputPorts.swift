// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// Several input ports that are used as one input, with one port for each kind of source.
///
/// The ports stay connected to the sources. The `track` of an event is the address of its sender;
/// addresses of different kinds differ.
///
/// - Note: One thread drains, and one thread, which may be another, updates. Not real-time safe.
public final class InputPorts: EventInput, CustomStringConvertible {
  /// The ports.
  ///
  /// Without sources, there is one port, to which other programs can connect.
  public let members: [any InputPort]
  /// The sources that were given at creation.
  public let sources: [Endpoint]
  /// Restores the connections of sources that return.
  public let keeper: PortKeeper
  private let kinds: [PortKind]

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - name: The name of the ports, as other programs see it. Without sources, a kind can precede
  ///     the name, as in `jack:in`.
  ///   - sources: The sources to receive from.
  ///   - system: The system in which the ports are opened.
  ///   - readsAhead: True to store up to 65,536 received events until they are drained; false by
  ///     default.
  /// - Throws: `EndpointError.vanished` if a source has disappeared.
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
  /// - Throws: `EndpointError.vanished` if a source has disappeared.
  public convenience init(
    _ name: String, from sources: [Endpoint], of provider: any PortProvider,
    readsAhead: Bool = false
  ) throws {
    try self.init(name, from: sources, of: PortSystem(provider), readsAhead: readsAhead)
  }

  /// The input that another thread can drain: the only port or, for several ports, this object.
  public var input: any EventInput { members.count == 1 ? members[0] : self }

  /// The file descriptors that become readable when events are available.
  public var descriptors: [Int32] { members.flatMap(\.descriptors) }

  /// Appends all events received since the last call, sorted by time if there are several ports.
  ///
  /// - Throws: An error if the system that provides a port has ended.
  public func drain(into buffer: inout HostEventBuffer) throws {
    for member in members { try member.drain(into: &buffer) }
    if members.count > 1 { buffer.sortByTime() }
  }

  /// The number of times that events were lost because they were not drained in time.
  public var overflows: Int { members.reduce(0) { $0 + $1.overflows } }

  /// The name by which other programs see the first port, such as `129:0`.
  public var description: String { members[0].description }

  /// Returns the name of the sender of events with this `track`, such as `20:0` or `rtp:studio`.
  public func senderName(_ track: UInt16) -> String {
    let client = EndpointAddress(track: track).client
    let place = kinds.firstIndex { EndpointNumbering.clients(of: $0).contains(client) }
    return members[place ?? 0].senderName(track)
  }
}
