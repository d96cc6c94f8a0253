// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import MIDIPorts

/// The options for ports.
package struct PortOptions: ParsableArguments {
  package init() {}

  /// The environment variable that aplaymidi uses, too.
  private static let variable = "ALSA_OUTPUT_PORTS"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Port: number, name or part of a name; repeatable, or several separated by commas.",
      discussion:
        "Examples: 128:0, 'FLUID Synth', fluid, 'Midi Through:0', alsa:fluid, jack:organ."
        + " Default: the ports in the environment variable ALSA_OUTPUT_PORTS. rtp:NAME is a session"
        + " on the network; rtp:HOST:PORT connects without discovery.",
      valueName: "client:port"), completion: .ports())
  package var port: [String] = []

  @Flag(help: "Wait until the ports, and the sound server they belong to, are available.")
  package var wait = false

  /// The values of `--port`, or those of the environment variable.
  package var texts: [String] {
    port.isEmpty ? Environment.variables[Self.variable].map { [$0] } ?? [] : port
  }

  /// The endpoints that the options name, without duplicates; empty without options.
  package func endpoints(
    _ direction: Endpoint.Direction, of system: PortSystem, loop: RunLoop
  ) throws -> [Endpoint] {
    if wait { loop.waitForServers(for: texts) }
    return try PortFinder(system, waitingBy: wait ? loop.waitUntilReadable : nil)
      .find(texts, direction)
  }

  /// The endpoints that the options name; empty with `--rtp`, because other machines join that
  /// session.
  ///
  /// - Throws: The error of a port that does not exist.
  package func endpoints(
    _ direction: Endpoint.Direction, of system: PortSystem, beside session: SessionOptions,
    loop: RunLoop
  ) throws -> [Endpoint] {
    guard session.session == nil else { return [] }
    return try endpoints(direction, of: system, loop: loop)
  }

  /// Opens input ports connected to the named ports, or one that other programs can connect to.
  func openInput(
    named name: String, as session: SessionOptions? = nil, loop: RunLoop
  ) throws -> InputPorts {
    let system = session?.system(named: name) ?? PortSystem.named(name)
    let isSession = session?.session != nil
    let sources = isSession ? [] : try endpoints(.source, of: system, loop: loop)
    let input = try InputPorts(session?.name(or: "in") ?? "in", from: sources, of: system)
    if sources.isEmpty { Terminal.say("downbeat: waiting for events on port \(input)") }
    return input
  }

  /// Opens output ports connected to the named ports, or one that other programs can connect to.
  ///
  /// There is one output port for each delay.
  ///
  /// - Parameters:
  ///   - name: The name that other programs see; in a given system, the name of the ports
  ///     themselves.
  ///   - offsets: The delays in milliseconds; the last applies to the remaining ports.
  ///   - session: The network session to open instead, if it has a name; nil by default.
  ///   - given: The system in which to open them; nil, the default, for a separate one.
  ///   - loop: The run loop; a signal ends the process.
  /// - Returns: The ports.
  /// - Throws: The error of a port that does not exist, or of a port system that is gone.
  func openOutputs(
    named name: String, offsets: [Double], as session: SessionOptions? = nil,
    of given: PortSystem? = nil, loop: RunLoop
  ) throws -> OutputPorts {
    let system = given ?? session?.system(named: name) ?? PortSystem.named(name)
    let isSession = session?.session != nil
    let targets = isSession ? [] : try endpoints(.destination, of: system, loop: loop)
    let own = given == nil ? session?.name(or: "out") ?? "out" : name
    let names = Array(repeating: own, count: max(1, min(offsets.count, targets.count)))
    let ports = try OutputPorts(
      names, to: targets, of: system, delays: offsets.map { .nanoseconds(Int64($0 * 1e6)) })
    if targets.isEmpty { Terminal.say("downbeat: sending from port \(ports.members[0].port)") }
    if wait, isSession { try ports.waitForListener(by: loop.waitUntilReadable) }
    return ports
  }
}

extension [PortKeeper.Change] {
  /// Reports the changes to the user and in JSON output.
  @discardableResult
  package func told() -> Self {
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
