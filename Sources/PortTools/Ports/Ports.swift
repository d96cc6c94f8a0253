// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
package import ArgumentParser
internal import CommandKit
internal import JSONText
internal import MIDIPorts

/// The command `downbeat ports`, which lists, connects and watches ports.
package struct Ports: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "ports", abstract: "List, connect and watch MIDI ports.",
    discussion: """
      Every command accepts a port by its numbers (128:0), its name, its client's name, a part of \
      either name, or CLIENT:PORT. The kind of port can precede the name: alsa:fluid, alsa:128:0, \
      jack:organ. If ports of two kinds have the same name, the kind is required. rtp:studio is a \
      network session (RTP-MIDI) that Avahi finds; rtp:HOST:PORT connects to a session without \
      Avahi.

      EXAMPLES:
        downbeat ports                          list every port
        downbeat ports --json | jq .devices     list them as JSON
        downbeat ports connect UM-ONE fluid     connect a keyboard to a synthesiser
        downbeat ports watch                    print ports that appear or disappear
        downbeat ports --network                list sessions on the network
      """,
    subcommands: [PortsList.self, PortsConnect.self, PortsDisconnect.self, PortsWatch.self],
    defaultSubcommand: PortsList.self)
}

/// The command `downbeat ports list`, which lists the ports.
struct PortsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the ports, in the format of aplaymidi -l.")

  @Flag(help: "List only ports from which MIDI can be received.")
  var sources = false

  @Flag(help: "List only ports to which MIDI can be sent.")
  var destinations = false

  @Flag(help: "Instead of the ports, list the connections between them.")
  var connections = false

  @Flag(help: "Instead of the ports, list the network sessions (RTP-MIDI) that Avahi finds.")
  var network = false

  @Flag(help: "Print one JSON document, including the connections.")
  var json = false

  func validate() throws {
    guard !network || !(sources || destinations || connections) else {
      throw ValidationError(
        "--network: cannot be used with --sources, --destinations or --connections")
    }
  }

  func run() throws {
    if network { return try showSessions() }
    let system = PortSystem.named()
    let report = PortReport(list: try system.peers(), connections: try system.connections())
    if json { return try Terminal.output(report.json) }
    if connections { return try Terminal.output(report.connectionLines) }
    try Terminal.output([PortReport.head] + report.lines(directions))
  }

  private func showSessions() throws {
    let report = try SessionReport()
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
  }

  private var directions: [Endpoint.Direction] {
    if sources == destinations { return [.source, .destination] }
    return sources ? [.source] : [.destination]
  }
}

extension PortSystem {
  /// The ALSA client.
  ///
  /// - Throws: `EndpointError.noSequencer` if the ALSA sequencer is not available.
  fileprivate func alsa() throws -> ALSAClient {
    guard let client = try provider(of: .alsa) as? ALSAClient else {
      preconditionFailure("internal error: the ALSA ports were not opened by an ALSA client")
    }
    return client
  }

  /// The connections between ALSA ports; empty without an ALSA sequencer.
  fileprivate func connections() throws -> [EndpointConnection] {
    do {
      return try alsa().connections()
    } catch EndpointError.noSequencer {
      return []
    }
  }

  /// The port with a name, which must be an ALSA port, because only these can be connected to each
  /// other.
  fileprivate func connectable(
    _ text: String, _ direction: Endpoint.Direction
  ) throws -> Endpoint {
    let endpoint = try find(text, direction)
    guard endpoint.kind == .alsa else {
      throw Failure(
        .usage, "port '\(endpoint)': only ALSA ports can be connected")
    }
    return endpoint
  }
}

/// The command `downbeat ports connect`, which connects two ports.
struct PortsConnect: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Connect a source to a destination, like aconnect.")

  @Argument(help: "Port to receive from.", completion: .ports(.source))
  var source: String

  @Argument(help: "Port to send to.", completion: .ports(.destination))
  var destination: String

  @OptionGroup var report: JSONOption

  var runs: Bool { false }

  func run() throws {
    let system = PortSystem.named()
    let connection = EndpointConnection(
      source: try system.connectable(source, .source).address,
      destination: try system.connectable(destination, .destination).address)
    try system.alsa().connect(connection)
    if report.json { try Terminal.output(PortReport.json("connected", connection)) }
  }
}

/// The command `downbeat ports disconnect`, which removes a connection, or all.
struct PortsDisconnect: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect", abstract: "Remove a connection, or all connections.")

  @Argument(help: "Source port of the connection.")
  var source: String?

  @Argument(help: "Destination port of the connection.")
  var destination: String?

  @Flag(help: "Remove all connections between ports.")
  var all = false

  @OptionGroup var report: JSONOption

  var runs: Bool { false }

  func validate() throws {
    guard all == (source == nil), all == (destination == nil) else {
      throw ValidationError("name a source and a destination, or use --all")
    }
  }

  func run() throws {
    let system = PortSystem.named()
    guard let source, let destination else { return try disconnectAll(try system.alsa()) }
    let from = try system.connectable(source, .source)
    let to = try system.connectable(destination, .destination)
    let connection = EndpointConnection(source: from.address, destination: to.address)
    guard try system.alsa().disconnect(connection) else {
      throw Failure(.failure, "port '\(from)': is not connected to '\(to)'")
    }
    try tell(connection)
  }

  private func tell(_ connection: EndpointConnection) throws {
    if report.json { try Terminal.output(PortReport.json("disconnected", connection)) }
  }

  private func disconnectAll(_ client: ALSAClient) throws {
    let list = try client.endpoints()
    for connection in try client.connections() where connection.source.client != 0 {
      guard list.endpoint(at: connection.destination, .destination) != nil else { continue }
      if try client.disconnect(connection) { try tell(connection) }
    }
  }
}

/// The command `downbeat ports watch`, which reports ports and connections that appear and
/// disappear.
struct PortsWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print ports and connections as they appear and disappear.",
    discussion: "Prints one line per change until it is interrupted with Ctrl-C.")

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let monitors = try PortSystem.named().monitors()
    signals.holdForCleanUp()
    var changes = PortChanges(monitors: monitors, json: json)
    if let number = try loop.run(&changes) { SignalWatch.die(by: number) }
  }
}

/// The work of reporting changes in the run loop.
private struct PortChanges: RunLoopBody {
  let monitors: [any EndpointMonitor]
  let json: Bool

  var descriptors: [Int32] { monitors.map(\.descriptor) }
  var deadline: Int64? { nil }

  mutating func turn() throws -> Bool {
    for monitor in monitors {
      for change in try monitor.changes() { try show(change) }
    }
    return true
  }

  private func show(_ change: EndpointChange) throws(Failure) {
    switch change {
    case .appeared(let endpoint): try show("+", "appeared", endpoint)
    case .vanished(let endpoint): try show("-", "vanished", endpoint)
    case .connected(let connection): try show("+", "connected", connection)
    case .disconnected(let connection): try show("-", "disconnected", connection)
    }
  }

  private func show(_ sign: String, _ type: String, _ endpoint: Endpoint) throws(Failure) {
    let members: [(name: String, value: JSONValue)] = [("v", 1), ("type", .text(type))]
    if json {
      try Terminal.output(JSONValue.object(members + PortReport.json(endpoint)))
    } else {
      try Terminal.output("\(sign) \(endpoint.direction) \(endpoint)")
    }
  }

  private func show(
    _ sign: String, _ type: String, _ connection: EndpointConnection
  ) throws(Failure) {
    if json {
      try Terminal.output(PortReport.json(type, connection))
    } else {
      try Terminal.output("\(sign) connection \(connection)")
    }
  }
}
