// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser

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
      valueName: "client:port"))
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
    try PortFinder(client: client, signals: signals, waits: wait).find(texts, direction)
  }
}

/// Finds the ports that texts name, and waits for them where asked to.
struct PortFinder {
  let client: ALSAClient
  let signals: SignalWait
  let waits: Bool

  func find(_ texts: [String], _ direction: Endpoint.Direction) throws -> [Endpoint] {
    guard waits, !texts.isEmpty else { return try Self.find(texts, direction, in: list()) }
    let monitor = try EndpointMonitor()
    while true {
      do {
        return try Self.find(texts, direction, in: list())
      } catch EndpointError.unknown {
        // Not there yet: wait for the next announcement.
        if case .signal(let number) = signals.until(nil, readable: [monitor.descriptor]) {
          SignalWatch.die(by: number)
        }
        _ = try monitor.changes()
      }
    }
  }

  private func list() throws -> EndpointList {
    try client.endpoints().without(client: client.number)
  }

  /// A text is one port; or, where it is none, several with commas between.
  static func find(
    _ texts: [String], _ direction: Endpoint.Direction, in list: EndpointList
  ) throws -> [Endpoint] {
    var found: [Endpoint] = []
    for text in texts {
      for endpoint in try find(text, direction, in: list) where !found.contains(endpoint) {
        found.append(endpoint)
      }
    }
    return found
  }

  private static func find(
    _ text: String, _ direction: Endpoint.Direction, in list: EndpointList
  ) throws -> [Endpoint] {
    let parts = text.split(separator: ",").map(String.init)
    do {
      let endpoint = try list.find(text, direction)
      return [endpoint]
    } catch {
      guard case .unknown = error, parts.count > 1 else { throw error }
    }
    return try parts.map { try list.find($0, direction) }
  }
}
