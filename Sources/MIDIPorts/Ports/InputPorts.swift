// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// Several ports that receive, one for each kind of source, as one input.
///
/// The ports stay connected to the sources. The `track` of an event is its sender's address;
/// addresses of different kinds differ.
///
/// - Note: One thread drains, and one, which can be another, updates. Not real-time safe.
public final class InputPorts: EventInput, CustomStringConvertible {
  /// The ports.
  ///
  /// Without sources, one port that others connect to.
  public let members: [any InputPort]
  /// The sources, as they were at the beginning.
  public let sources: [Endpoint]
  /// Restores the connections of sources that return.
  public let keeper: PortKeeper
  private let kinds: [PortKind]

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - name: The name that other programs see. Without sources, a kind can precede it.
  ///   - sources: The sources.
  ///   - system: The system in which the ports are opened.
  ///   - readsAhead: True to store up to 65,536 received events until they are drained; false by
  ///     default.
  /// - Throws: `EndpointError.vanished` if a source disappeared.
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
  /// - Throws: `EndpointError.vanished` if a source disappeared.
  public convenience init(
    _ name: String, from sources: [Endpoint], of provider: any PortProvider,
    readsAhead: Bool = false
  ) throws {
    try self.init(name, from: sources, of: PortSystem(provider), readsAhead: readsAhead)
  }

  /// The input to drain on another thread: the only port, or this object.
  public var input: any EventInput { members.count == 1 ? members[0] : self }

  /// The file descriptors that become readable when events are available.
  public var descriptors: [Int32] { members.flatMap(\.descriptors) }

  /// Appends everything received since the last call; sorted by time if there are several ports.
  ///
  /// - Throws: An error if the system that provides a port has ended.
  public func drain(into buffer: inout HostEventBuffer) throws {
    for member in members { try member.drain(into: &buffer) }
    if members.count > 1 { buffer.sortByTime() }
  }

  /// The number of times that events were lost because they were not drained in time.
  public var overflows: Int { members.reduce(0) { $0 + $1.overflows } }

  /// The name of the first port for other programs: `129:0`.
  public var description: String { members[0].description }

  /// The name of the sender of events with this `track`: `20:0`, `rtp:studio`.
  public func senderName(_ track: UInt16) -> String {
    let client = EndpointAddress(track: track).client
    let place = kinds.firstIndex { EndpointNumbering.clients(of: $0).contains(client) }
    return members[place ?? 0].senderName(track)
  }
}
