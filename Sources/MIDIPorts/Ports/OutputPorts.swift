// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Several output ports, each with a delay.
///
/// The ports stay connected to their destinations.
///
/// - Note: Use it from one thread at a time. Not real-time safe.
public final class OutputPorts {
  /// The system in which the ports were opened.
  public let system: PortSystem
  /// The ports, with their delays.
  public let members: [Member]
  /// The destinations that were given at creation.
  public let targets: [Endpoint]
  private let keeper: PortKeeper

  /// A port and its delay.
  public struct Member: Sendable {
    /// The port.
    public let port: any OutputPort
    /// The kind of port.
    public let kind: PortKind
    /// The delay by which all events of the port are sent later.
    public let delay: Duration
    /// The index of its name.
    let place: Int
  }

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - names: The name of each port, at least one; a kind can precede a name.
  ///   - targets: The destinations: the first for the first port, and so on. The last port is
  ///     connected to all remaining ones. Other programs can connect to a port without a
  ///     destination. For destinations of several kinds, a port of each kind is created.
  ///   - system: The system in which the ports are opened.
  ///   - delays: The delay of each port. The last delay also applies to further ports; without
  ///     delays, it is zero.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second, above 0. If nil, the default of
  ///     each kind is used: for ALSA 3125, the speed of a MIDI cable; on a network, as fast as
  ///     receivers accept it.
  /// - Throws: `EndpointError.vanished` if a destination has disappeared.
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
  /// - Throws: `EndpointError.vanished` if a destination has disappeared.
  public convenience init(
    _ names: [String], to targets: [Endpoint], of provider: any PortProvider,
    delays: [Duration] = []
  ) throws {
    try self.init(names, to: targets, of: PortSystem(provider), delays: delays)
  }

  /// The file descriptors that become readable when destinations appear or disappear.
  public var descriptors: [Int32] { keeper.descriptors }

  /// Connects again to destinations that have returned.
  ///
  /// - Returns: The destinations that disappeared or returned, in order.
  /// - Throws: An error if the system that provides the ports has ended.
  public func update() throws -> [PortKeeper.Change] { try keeper.update() }

  /// Returns the ports as destinations of a playback, with the names `port 0`, `port 1` and so on.
  public func destinations(through transform: MessageTransform) -> [PlaybackPort] {
    members.enumerated().map { index, member in
      PlaybackPort(
        name: name(index), sink: member.port.sink, delay: member.delay, transform: transform)
    }
  }

  /// Returns the names, as in `destinations`, of the ports that send to an endpoint.
  public func names(to endpoint: Endpoint) -> [String] {
    let last = members.map(\.place).max() ?? 0
    let places = targets.indices.filter { targets[$0].isSameDevice(as: endpoint) }
      .map { min($0, last) }
    return members.indices
      .filter { members[$0].kind == endpoint.kind && places.contains(members[$0].place) }
      .map(name)
  }

  /// Returns the destinations of a port.
  ///
  /// - Parameter index: The index of the port in `members`.
  /// - Returns: The endpoints; empty if the port was created without a destination.
  public func targets(of index: Int) -> [Endpoint] {
    targets.filter { names(to: $0).contains(name(index)) }
  }

  private func name(_ index: Int) -> String { "port \(index)" }

  /// Sends a SysEx to every port immediately.
  ///
  /// - Parameter bytes: The bytes without F0 and F7.
  /// - Throws: An error if the system that provides a port has ended.
  public func send(sysEx bytes: [UInt8]) throws {
    var buffer = HostEventBuffer(capacity: 1, payloadCapacity: bytes.count)
    buffer.append(
      sysEx: bytes.span, time: HostTime(nanoseconds: DeadlineWait.now), track: 0, generation: 0)
    for member in members { _ = try member.port.send(buffer) }
  }

  /// Waits until a receiver is connected to the last port.
  ///
  /// - Throws: The errors of `wait`, and an error if the system that provides the port has ended.
  public func waitForListener(by wait: PortFinder.Wait) throws {
    let member = members[members.count - 1]
    try system.provider(of: member.kind).waitForListener(of: member.port, by: wait)
  }

  /// Cancels pending events and releases all sounding notes of every port immediately.
  public func silence() {
    for member in members { member.port.silence() }
  }

  /// Lets the sounding notes of all ports continue after this process has ended.
  public func leaveSounding() {
    for member in members { member.port.leaveSounding() }
  }

  /// Returns true if all ports have sent all events.
  ///
  /// While the result is false, the call also continues to send long SysEx messages.
  ///
  /// - Throws: An error if the system that provides a port has ended.
  public func hasDrained() throws -> Bool {
    try members.allSatisfy { try $0.port.drain(until: .zero) }
  }

  /// True if a port holds back events that are already due, for example until a long SysEx has been
  /// sent.
  public var isHoldingBack: Bool { members.contains { $0.port.isHoldingBack } }

  /// Waits until all ports have sent all events, for a limited time.
  ///
  /// - Parameter patience: The longest time to wait.
  /// - Returns: True if all events have been sent, or the system that provides a port has ended.
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
