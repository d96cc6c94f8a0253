// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import MIDIPorts

/// Which ports a command means.
package struct PortOptions: ParsableArguments {
  package init() {}

  /// The variable that aplaymidi reads too.
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

  /// The texts given, or else those of the variable.
  package var texts: [String] {
    port.isEmpty ? Environment.variables[Self.variable].map { [$0] } ?? [] : port
  }

  /// The endpoints, once each; none where no text was given.
  package func endpoints(
    _ direction: Endpoint.Direction, of system: PortSystem, loop: RunLoop
  ) throws -> [Endpoint] {
    if wait { loop.waitForServers(for: texts) }
    return try PortFinder(system, waitingBy: wait ? loop.waitUntilReadable : nil)
      .find(texts, direction)
  }

  /// The endpoints; none for a session of ours, which others come to.
  ///
  /// - Throws: where a port is not there, or ports are named beside a session.
  package func endpoints(
    _ direction: Endpoint.Direction, of system: PortSystem, beside session: SessionOptions,
    loop: RunLoop
  ) throws -> [Endpoint] {
    guard session.session == nil else { return [] }
    return try endpoints(direction, of: system, loop: loop)
  }

  /// Opens ports that hear those named, or one that others connect to.
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

  /// Opens ports that send to those named, or one to whoever connects to it: one of ours for each
  /// delay.
  ///
  /// - Parameters:
  ///   - name: what other programs see; of ports in a system that is there, their own name.
  ///   - offsets: milliseconds by which each is later; of too few the last is for the rest.
  ///   - session: the session that is opened instead, if one is named.
  ///   - given: the system in which they are opened; nil for one of their own.
  ///   - loop: the run loop; a signal ends the process.
  /// - Returns: the ports.
  /// - Throws: where a port is not there, or what has the ports is gone.
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
  /// Tells a person, and other programs.
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
