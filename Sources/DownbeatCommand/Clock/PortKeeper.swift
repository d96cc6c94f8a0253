// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI

/// Keeps a port of ours connected to others that go away and come back.
struct PortKeeper {
  private var follower: PortFollower
  private let connect: (Endpoint) throws -> Void

  init(_ endpoints: [Endpoint], connect: @escaping (Endpoint) throws -> Void) throws {
    follower = try PortFollower(endpoints)
    self.connect = connect
  }

  /// What becomes readable when something has happened.
  var descriptors: [Int32] { follower.descriptors }

  /// Takes what has happened.
  mutating func update() throws { try follower.update(connect: connect) }
}

extension PortOptions {
  /// Opens a port that hears those named, or that others connect to.
  func openInput(
    named name: String, signals: SignalWait
  ) throws -> (InputPort, PortKeeper) {
    let client = try ALSAClient(name: name)
    let sources = try endpoints(.source, of: client, signals: signals)
    let input = try InputPort(client, name: "in")
    for source in sources { try input.connect(to: source) }
    if sources.isEmpty { Terminal.say("downbeat: waiting for data at port \(input.address)") }
    return (input, try PortKeeper(sources) { try input.connect(to: $0) })
  }

  /// Opens ports that send to those named, or one to whoever connects to it: one of ours for each
  /// delay.
  ///
  /// - Parameters:
  ///   - name: the client's name; of ports of a client that is there, their own.
  ///   - offsets: milliseconds by which each is later; of too few the last is for the rest.
  ///   - given: the client whose ports they are; nil for one of their own.
  ///   - signals: what ends the wait for ports.
  /// - Returns: the ports with their delays, and what connects them again.
  /// - Throws: where a port is not there, or the sequencer is gone.
  func openOutputs(
    named name: String, offsets: [Double], of given: ALSAClient? = nil, signals: SignalWait
  ) throws -> (ports: [ClockPort], keeper: PortKeeper) {
    let client = try given ?? ALSAClient(name: name)
    let targets = try endpoints(.destination, of: client, signals: signals)
    let delays = (offsets.isEmpty ? [0] : offsets).map { Int64($0 * 1e6) }
    let count = max(1, min(delays.count, targets.count))
    let ports = try (0..<count).map {
      ClockPort(
        port: try OutputPort(client, name: given == nil ? "out" : name), delay: delays[$0])
    }
    let connect = { (target: Endpoint, index: Int) in
      try ports[min(index, count - 1)].port.connect(to: target)
    }
    for (index, target) in targets.enumerated() { try connect(target, index) }
    if targets.isEmpty { Terminal.say("downbeat: sending from port \(ports[0].port.address)") }
    let keeper = try PortKeeper(targets) { target in
      for (index, known) in targets.enumerated() where known.isSameDevice(as: target) {
        try connect(target, index)
      }
    }
    return (ports, keeper)
  }
}
