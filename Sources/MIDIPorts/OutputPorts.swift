// SPDX-License-Identifier: Apache-2.0
public import ALSAMIDI
public import ClockService
public import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Ports of ours that send, each by a delay of its own, kept connected to their destinations.
///
/// - Note: one thread at a time. Not real-time safe.
public final class OutputPorts {
  /// The client whose ports they are.
  public let client: ALSAClient
  /// The ports, each with the time by which it is later.
  public let members: [Member]
  /// The destinations, as they were when the ports were connected.
  public let targets: [Endpoint]
  private let keeper: PortKeeper

  /// A port, and by how much it is later.
  public struct Member: Sendable {
    /// The port.
    public let port: OutputPort
    /// Nanoseconds.
    public let delay: Duration
  }

  /// Creates ports and connects them.
  ///
  /// - Parameters:
  ///   - names: a name for each port that is created, at least one.
  ///   - targets: the destinations: the first for the first port, and so on, the last port taking
  ///     all that are left. A port without any is one that others connect to.
  ///   - client: the client whose ports they will be.
  ///   - delays: by how much each is later; of too few the last is for the rest, and none
  ///     are zero.
  /// - Throws: `EndpointError.vanished` where a destination went away.
  public init(
    _ names: [String], to targets: [Endpoint], of client: ALSAClient, delays: [Duration] = []
  ) throws {
    precondition(!names.isEmpty, "there is a port at least")
    let ports = try names.map { try OutputPort(client, name: $0) }
    func connect(_ index: Int, to endpoint: Endpoint) throws {
      try ports[min(index, ports.count - 1)].connect(to: endpoint)
    }
    keeper = try PortKeeper(targets) { endpoint in
      for index in targets.indices where targets[index].isSameDevice(as: endpoint) {
        try connect(index, to: endpoint)
      }
    }
    for (index, target) in targets.enumerated() { try connect(index, to: target) }
    self.client = client
    self.targets = targets
    members = ports.enumerated().map { index, port in
      Member(port: port, delay: index < delays.count ? delays[index] : delays.last ?? .zero)
    }
  }

  /// What becomes readable when destinations come or go.
  public var descriptors: [Int32] { keeper.descriptors }

  /// Connects again what is back.
  ///
  /// - Throws: `EndpointError` where the sequencer is gone.
  public func update() throws -> [PortKeeper.Change] { try keeper.update() }

  /// The ports as a playback takes them: `port 0`, `port 1` and so on.
  public func destinations(through transform: MessageTransform) -> [PlaybackPort] {
    members.enumerated().map { index, member in
      PlaybackPort(
        name: name(index), sink: member.port, delay: member.delay, transform: transform)
    }
  }

  /// The names of the ports that send to an endpoint, as `destinations` gives them.
  public func names(to endpoint: Endpoint) -> [String] {
    targets.indices.filter { targets[$0].isSameDevice(as: endpoint) }.map {
      name(min($0, members.count - 1))
    }
  }

  private func name(_ index: Int) -> String { "port \(index)" }

  /// Sends a SysEx, given without its F0 and F7, to every port at once.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func send(sysEx bytes: [UInt8]) throws {
    var buffer = HostEventBuffer(capacity: 1, payloadCapacity: bytes.count)
    buffer.append(
      sysEx: bytes.span, time: HostTime(nanoseconds: DeadlineWait.now), track: 0, generation: 0)
    for member in members { _ = try member.port.send(buffer) }
  }

  /// Silences every port at once.
  public func silence() {
    for member in members { member.port.silence() }
  }

  /// Leaves to ring out what rings out.
  public func leaveSounding() {
    for member in members { member.port.leaveSounding() }
  }

  /// Waits until everything has left every port's queue, for so long at most.
  ///
  /// - Returns: whether it has; where the sequencer is gone there is nothing left to wait for.
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

extension [OutputPorts.Member] {
  /// The ports as a clock takes them, all behind one generator.
  public func outputs(of generator: MIDIClockGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port, delay: $0.delay) }
  }

  /// The ports as a clock takes them, all behind one generator.
  public func outputs(of generator: MTCGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port, delay: $0.delay) }
  }
}

extension Endpoint {
  /// Whether it is this endpoint under whatever numbers.
  fileprivate func isSameDevice(as other: Endpoint) -> Bool {
    deviceName == other.deviceName && name == other.name
  }
}
