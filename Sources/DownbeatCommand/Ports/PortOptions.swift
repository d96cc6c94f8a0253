// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import MIDIPorts

/// Which ports a command means.
struct PortOptions: ParsableArguments {
  /// The variable that aplaymidi reads too.
  private static let variable = "ALSA_OUTPUT_PORTS"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "A port, by number, name or part of one; repeatable, or several with commas between.",
      discussion: "128:0, 'FLUID Synth', fluid, 'Midi Through:0'. Without it the variable"
        + " ALSA_OUTPUT_PORTS counts.",
      valueName: "client:port"), completion: .ports())
  var port: [String] = []

  @Flag(help: "Wait until the ports are there.")
  var wait = false

  /// The texts given, or else those of the variable.
  var texts: [String] {
    port.isEmpty ? Environment.variables[Self.variable].map { [$0] } ?? [] : port
  }

  /// The endpoints, once each; none where no text was given.
  func endpoints(
    _ direction: Endpoint.Direction, of client: ALSAClient, signals: SignalWait
  ) throws -> [Endpoint] {
    try PortFinder(client, waitingBy: wait ? signals.untilReadable : nil).find(texts, direction)
  }

  /// Opens a port that hears those named, or that others connect to.
  func openInput(
    named name: String, signals: SignalWait
  ) throws -> (input: InputPort, keeper: PortKeeper) {
    let client = try ALSAClient(name: name)
    let sources = try endpoints(.source, of: client, signals: signals)
    let input = try InputPort(client, name: "in")
    let keeper = try PortKeeper(input, to: sources)
    if sources.isEmpty { Terminal.say("downbeat: waiting for data at port \(input.address)") }
    return (input, keeper)
  }

  /// Opens ports that send to those named, or one to whoever connects to it: one of ours for each
  /// delay.
  ///
  /// - Parameters:
  ///   - name: the client's name; of ports of a client that is there, their own.
  ///   - offsets: milliseconds by which each is later; of too few the last is for the rest.
  ///   - given: the client whose ports they are; nil for one of their own.
  ///   - signals: what ends the wait for ports.
  /// - Returns: the ports.
  /// - Throws: where a port is not there, or the sequencer is gone.
  func openOutputs(
    named name: String, offsets: [Double], of given: ALSAClient? = nil, signals: SignalWait
  ) throws -> OutputPorts {
    let client = try given ?? ALSAClient(name: name)
    let targets = try endpoints(.destination, of: client, signals: signals)
    let names = Array(
      repeating: given == nil ? "out" : name, count: max(1, min(offsets.count, targets.count)))
    let ports = try OutputPorts(
      names, to: targets, of: client, delays: offsets.map { .nanoseconds(Int64($0 * 1e6)) })
    if targets.isEmpty {
      Terminal.say("downbeat: sending from port \(ports.members[0].port.address)")
    }
    return ports
  }
}

extension ALSAClient {
  /// A client with a guardian, or without where none can be started, which is told.
  static func guarded(name: String) throws -> ALSAClient {
    try guarded(name: name) { Terminal.report("\($0)") }
  }
}

extension [PortKeeper.Change] {
  /// Tells a person, and other programs.
  @discardableResult
  func told() -> Self {
    for change in self {
      Terminal.report("\(change)")
      switch change {
      case .gone(let endpoint): JSONReport.tell("port-lost", PortReport.json(endpoint))
      case .back(let endpoint): JSONReport.tell("port-back", PortReport.json(endpoint))
      }
    }
    return self
  }
}
