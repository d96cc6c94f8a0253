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

  /// Opens a port that sends to those named, or to whoever connects to it.
  func openOutput(
    named name: String, signals: SignalWait
  ) throws -> (OutputPort, PortKeeper) {
    let client = try ALSAClient(name: name)
    let targets = try endpoints(.destination, of: client, signals: signals)
    let output = try OutputPort(client, name: "out")
    for target in targets { try output.connect(to: target) }
    if targets.isEmpty { Terminal.say("downbeat: sending from port \(output.address)") }
    return (output, try PortKeeper(targets) { try output.connect(to: $0) })
  }
}
