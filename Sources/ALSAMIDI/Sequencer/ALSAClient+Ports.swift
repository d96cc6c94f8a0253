// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts

/// The sequencer as a provider of ports.
extension ALSAClient: PortProvider {
  /// The kind of the ports: `.alsa`.
  public var kind: PortKind { .alsa }

  /// Returns every port of all other clients.
  ///
  /// - Returns: The ports.
  /// - Throws: `EndpointError` if the sequencer is gone.
  /// - Complexity: O(n) in the number of ports, with a system call for each.
  public func peers() throws(EndpointError) -> EndpointList {
    try endpoints().without(client: number)
  }

  /// Creates a monitor of the kernel's announcements.
  ///
  /// - Returns: The monitor.
  /// - Throws: `EndpointError.noSequencer` or `noPermission`, or `refused` if the kernel refuses
  ///   it.
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
  ///   - readsAhead: True to read on a separate thread, which stores 65,536 events; false to
  ///     leave up to 2,000 events in the kernel.
  /// - Returns: The port.
  /// - Throws: `EndpointError.refused` if the kernel cannot create another port; `RealtimeError` if
  ///   the thread cannot be created.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    let input = try ALSAInputPort(self, name: name)
    return readsAhead ? try InputReader(input) : input
  }

  /// Passes events from ports of the sequencer to other ports; the kernel does this if nothing is
  /// changed.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - destinations: The destinations.
  ///   - senders: Filters and changes the events.
  /// - Returns: The connection.
  /// - Throws: `EndpointError.vanished` if a port is gone.
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
  /// - Returns: The client; without a guardian if that cannot be started.
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
