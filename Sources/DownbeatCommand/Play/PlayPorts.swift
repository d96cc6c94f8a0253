// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import Downbeat
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// The ports that songs are played to, one of ours for each; last the one that others connect to.
struct PlayPorts {
  /// How long what is queued may take to leave once it is silent, in nanoseconds.
  private static let patience: Int64 = 100_000_000

  /// The client whose ports they are.
  let client: ALSAClient
  private let endpoints: [Endpoint]
  private let ports: [OutputPort]
  private var follower: PortFollower

  init(_ endpoints: [Endpoint], virtual name: String?, of client: ALSAClient) throws {
    self.client = client
    self.endpoints = endpoints
    var ports = try endpoints.map { endpoint in
      let port = try OutputPort(client, name: "play")
      try port.connect(to: endpoint)
      return port
    }
    if let name { ports.append(try OutputPort(client, name: name)) }
    self.ports = ports
    follower = try PortFollower(endpoints)
  }

  /// What becomes readable when ports come or go.
  var descriptors: [Int32] { follower.descriptors }

  /// Waits until somebody has connected to the last port.
  func waitForListener(_ wait: SignalWait) throws {
    try ports.last?.waitForListener(wait)
  }

  /// The ports as a playback takes them; of too few delays the last is for the rest.
  func destinations(
    delays: [Int64], through transform: MessageTransform
  ) -> [PlaybackPort] {
    ports.indices.map { index in
      PlaybackPort(
        name: name(index), sink: ports[index],
        delay: index < delays.count ? delays[index] : delays.last ?? 0, transform: transform)
    }
  }

  private func name(_ index: Int) -> String { "port \(index)" }

  /// Sends a SysEx to every port, and waits until all of it has left.
  func send(reset bytes: [UInt8]) throws {
    var buffer = HostEventBuffer(capacity: 1, payloadCapacity: bytes.count)
    buffer.append(
      sysEx: bytes.span, time: HostTime(nanoseconds: DeadlineWait.now), track: 0, generation: 0)
    for port in ports { _ = try port.send(buffer) }
    drain()
  }

  /// Connects ports again that are back; `body` is told the name of each.
  mutating func update(_ body: (String) -> Void) throws {
    let (known, ours) = (endpoints, ports)
    var back: [Int] = []
    try follower.update { endpoint in
      for index in known.indices where known[index].isSameDevice(as: endpoint) {
        try ours[index].connect(to: endpoint)
        back.append(index)
      }
    }
    for index in back { body(name(index)) }
  }

  /// Silences every port at once, and lets the releases leave.
  func silence() {
    for port in ports { port.silence() }
    drain()
  }

  /// Waits a moment for what is queued to leave.
  func drain() {
    _ = isDrained(until: DeadlineWait.now + Self.patience)
  }

  /// Leaves to ring out what rings out.
  func leaveSounding() {
    for port in ports { port.leaveSounding() }
  }

  /// Whether everything has left every port's queue by an instant.
  func isDrained(until limit: Int64) -> Bool {
    do {
      return try ports.allSatisfy { try $0.drain(until: HostTime(nanoseconds: limit)) }
    } catch {
      // The sequencer is gone, and everything with it.
      return true
    }
  }
}

extension Endpoint {
  /// Whether it is this endpoint under whatever numbers.
  func isSameDevice(as other: Endpoint) -> Bool {
    deviceName == other.deviceName && name == other.name
  }
}
