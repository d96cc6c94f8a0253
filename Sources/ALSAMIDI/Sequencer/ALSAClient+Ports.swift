// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts

/// The sequencer as a provider of ports.
extension ALSAClient: PortProvider {
  /// The kind of the ports: `.alsa`.
  public var kind: PortKind { .alsa }

  /// Returns the ports of all other clients.
  ///
  /// - Returns: The ports.
  /// - Throws: `EndpointError` if the sequencer is not available any more.
  /// - Complexity: O(n) in the number of ports, with a system call for each.
  public func peers() throws(EndpointError) -> EndpointList {
    try endpoints().without(client: number)
  }

  /// Creates a monitor that reports when ports appear and disappear.
  ///
  /// - Returns: The monitor.
  /// - Throws: `EndpointError.noSequencer` or `noPermission`, or `refused` if the kernel refuses
  ///   the request.
  public func makeMonitor() throws(EndpointError) -> any EndpointMonitor {
    try ALSAEndpointMonitor()
  }

  /// Creates an output port of this client.
  ///
  /// - Parameters:
  ///   - name: The name of the port.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second; nil for that of a MIDI cable.
  /// - Returns: The port.
  /// - Throws: `EndpointError.refused` if the kernel cannot create another port.
  public func makeOutput(
    named name: String, sysExSpeed: Int?
  ) throws(EndpointError) -> any OutputPort {
    try ALSAOutputPort(self, name: name, sysExSpeed: sysExSpeed ?? ALSAOutputPort.cableSpeed)
  }

  /// Creates an input port of this client.
  ///
  /// - Parameters:
  ///   - name: The name of the port.
  ///   - readsAhead: True to read events on a separate thread and store up to 65,536 of them; false
  ///     to leave up to 2,000 events in the kernel.
  /// - Returns: The port.
  /// - Throws: `EndpointError.refused` if the kernel cannot create another port; `RealtimeError` if
  ///   the thread cannot be created.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    let input = try ALSAInputPort(self, name: name)
    return readsAhead ? try InputReader(input) : input
  }

  /// Creates a connection that passes events from sources to destinations; if they are unchanged,
  /// the kernel passes them.
  ///
  /// - Parameters:
  ///   - sources: The ports to receive from.
  ///   - destinations: The ports to send to.
  ///   - senders: The filter and transform.
  /// - Returns: The connection.
  /// - Throws: `EndpointError.vanished` if a port has disappeared.
  public func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) throws -> (any ThruConnection)? {
    try ALSAThruConnection(self, from: sources, to: destinations, through: senders)
  }
}

extension ALSAClient {
  /// Creates a client with a guardian, which releases sounding notes even if this process is
  /// killed.
  ///
  /// - Parameters:
  ///   - name: The name of the client, visible to other programs.
  ///   - tell: Called with the reason if the guardian cannot be started.
  /// - Returns: The client. If the guardian cannot be started, the client does not have one.
  /// - Throws: `EndpointError` if the sequencer does not exist.
  public static func guarded(
    name: String, orElse tell: (any Error) -> Void
  ) throws -> ALSAClient {
    do {
      let guardian = try Guardian()
      let client = try ALSAClient(name: name, guardian: guardian)
      guardian.waitUntilReady()
      return client
    } catch let error as EndpointError {
      throw error
    } catch {
      tell(error)
      return try ALSAClient(name: name)
    }
  }
}
