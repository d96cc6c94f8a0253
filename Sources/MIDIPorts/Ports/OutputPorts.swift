// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Ports of ours that send, each by a delay of its own, kept connected to their destinations.
///
/// - Note: one thread at a time. Not real-time safe.
public final class OutputPorts {
  /// The system that the ports were opened in.
  public let system: PortSystem
  /// The ports, each with the time by which it is later.
  public let members: [Member]
  /// The destinations, as they were when the ports were connected.
  public let targets: [Endpoint]
  private let keeper: PortKeeper

  /// A port, and by how much it is later.
  public struct Member: Sendable {
    /// The port.
    public let port: any OutputPort
    /// What the port is one of.
    public let kind: PortKind
    /// Nanoseconds.
    public let delay: Duration
    /// Which of the names it has.
    let place: Int
  }

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - names: a name for each port that is created, at least one; a kind may stand before it.
  ///   - targets: the destinations: the first for the first port, and so on, the last port taking
  ///     all that are left. A port without any is one that others connect to. For destinations of
  ///     several kinds there is a port of each kind in the place of one.
  ///   - system: where they are opened.
  ///   - delays: by how much each is later; of too few the last is for the rest, and none
  ///     are zero.
  ///   - sysExSpeed: bytes a second of a long SysEx, above zero; nil for each kind's own: of ALSA's
  ///     ports 3125, a MIDI cable's; over a network as fast as its receivers take it.
  /// - Throws: `EndpointError.vanished` where a destination went away.
  public init(
    _ names: [String], to targets: [Endpoint], of system: PortSystem, delays: [Duration] = [],
    sysExSpeed: Int? = nil
  ) throws {
    precondition(!names.isEmpty, "at least one port name is required")
    let last = names.count - 1
    let members = try names.indices.flatMap { place in
      let kinds = targets.indices.filter { min($0, last) == place }.map { targets[$0].kind }
      let (kind, name) = system.split(names[place])
      return try (kinds.isEmpty ? [kind ?? system.ownKind] : kinds.uniqued).map { kind in
        Member(
          port: try system.provider(of: kind).makeOutput(named: name, sysExSpeed: sysExSpeed),
          kind: kind, delay: place < delays.count ? delays[place] : delays.last ?? .zero,
          place: place)
      }
    }
    func connect(_ index: Int, to endpoint: Endpoint) throws {
      for member in members
      where member.place == min(index, last) && member.kind == endpoint.kind {
        try member.port.connect(to: endpoint)
      }
    }
    keeper = try PortKeeper(targets, of: system) { endpoint in
      for index in targets.indices where targets[index].isSameDevice(as: endpoint) {
        try connect(index, to: endpoint)
      }
    }
    for (index, target) in targets.enumerated() { try connect(index, to: target) }
    self.system = system
    self.targets = targets
    self.members = members
  }

  /// Creates ports of one kind and connects them.
  ///
  /// - Throws: `EndpointError.vanished` where a destination went away.
  public convenience init(
    _ names: [String], to targets: [Endpoint], of provider: any PortProvider,
    delays: [Duration] = []
  ) throws {
    try self.init(names, to: targets, of: PortSystem(provider), delays: delays)
  }

  /// What becomes readable when destinations come or go.
  public var descriptors: [Int32] { keeper.descriptors }

  /// Connects again what is back.
  ///
  /// - Throws: where what has the ports is gone.
  public func update() throws -> [PortKeeper.Change] { try keeper.update() }

  /// The ports as a playback takes them: `port 0`, `port 1` and so on.
  public func destinations(through transform: MessageTransform) -> [PlaybackPort] {
    members.enumerated().map { index, member in
      PlaybackPort(
        name: name(index), sink: member.port.sink, delay: member.delay, transform: transform)
    }
  }

  /// The names of the ports that send to an endpoint, as `destinations` gives them.
  public func names(to endpoint: Endpoint) -> [String] {
    let last = members.map(\.place).max() ?? 0
    let places = targets.indices.filter { targets[$0].isSameDevice(as: endpoint) }
      .map { min($0, last) }
    return members.indices
      .filter { members[$0].kind == endpoint.kind && places.contains(members[$0].place) }
      .map(name)
  }

  /// The destinations of a port.
  ///
  /// - Parameter index: The place of the port among `members`.
  /// - Returns: The endpoints; none for a port that others connect to.
  public func targets(of index: Int) -> [Endpoint] {
    targets.filter { names(to: $0).contains(name(index)) }
  }

  private func name(_ index: Int) -> String { "port \(index)" }

  /// Sends a SysEx, given without its F0 and F7, to every port at once.
  ///
  /// - Throws: where what has the ports is gone.
  public func send(sysEx bytes: [UInt8]) throws {
    var buffer = HostEventBuffer(capacity: 1, payloadCapacity: bytes.count)
    buffer.append(
      sysEx: bytes.span, time: HostTime(nanoseconds: DeadlineWait.now), track: 0, generation: 0)
    for member in members { _ = try member.port.send(buffer) }
  }

  /// Waits until somebody receives what the last port sends.
  ///
  /// - Throws: what the wait throws; where what has the ports is gone.
  public func waitForListener(by wait: PortFinder.Wait) throws {
    let member = members[members.count - 1]
    try system.provider(of: member.kind).waitForListener(of: member.port, by: wait)
  }

  /// Silences every port at once.
  public func silence() {
    for member in members { member.port.silence() }
  }

  /// Leaves to ring out what rings out.
  public func leaveSounding() {
    for member in members { member.port.leaveSounding() }
  }

  /// Whether everything has left every port's queue; hands on what is due of long SysEx messages.
  ///
  /// - Throws: where what has the ports is gone.
  public func hasDrained() throws -> Bool {
    try members.allSatisfy { try $0.port.drain(until: .zero) }
  }

  /// Whether a port holds events back past their times, as behind a long SysEx.
  public var isHoldingBack: Bool { members.contains { $0.port.isHoldingBack } }

  /// Waits until everything has left every port's queue, for so long at most.
  ///
  /// - Returns: whether it has; where what has the ports is gone there is nothing left to wait for.
  @discardableResult
  public func drain(within patience: Duration) -> Bool {
    let limit = HostTime(nanoseconds: DeadlineWait.now) + patience
    do {
      return try members.allSatisfy { try $0.port.drain(until: limit) }
    } catch {
      return true
    }
  }
}
