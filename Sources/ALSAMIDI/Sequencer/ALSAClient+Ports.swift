// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts

/// The sequencer as a provider of ports: those of this client are ours.
extension ALSAClient: PortProvider {
  /// ALSA's.
  public var kind: PortKind { .alsa }

  /// Every port of every client but this one.
  ///
  /// - Complexity: O(n) in the number of ports, a system call each.
  public func peers() throws(EndpointError) -> EndpointList {
    try endpoints().without(client: number)
  }

  /// Begins to hear the kernel's announcements.
  ///
  /// - Throws: `EndpointError.noSequencer`, `noPermission`, or what else the kernel refuses.
  public func makeMonitor() throws(EndpointError) -> any EndpointMonitor {
    try ALSAEndpointMonitor()
  }

  /// Opens a port of this client that sends.
  ///
  /// - Throws: `EndpointError.refused` where the kernel has no port left.
  public func makeOutput(
    named name: String, sysExSpeed: Int?
  ) throws(EndpointError) -> any OutputPort {
    try ALSAOutputPort(self, name: name, sysExSpeed: sysExSpeed ?? ALSAOutputPort.cableSpeed)
  }

  /// Opens a port of this client that receives: read ahead by a thread of its own, or with 2,000
  /// events that the kernel keeps.
  ///
  /// - Throws: `EndpointError.refused` where the kernel has no port left; `RealtimeError` where no
  ///   thread can be had.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    let input = try ALSAInputPort(self, name: name)
    return readsAhead ? try InputReader(input) : input
  }

  /// Carries events from ports of the sequencer to others, in the kernel where nothing changes.
  ///
  /// - Throws: `EndpointError.vanished` where a port went away.
  public func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) throws -> (any ThruConnection)? {
    try ALSAThruConnection(self, from: sources, to: destinations, through: senders)
  }
}

extension ALSAClient {
  /// A client with a guardian: what sounds is released even where this process is killed.
  ///
  /// - Parameters:
  ///   - name: what other programs see.
  ///   - tell: told why there is no guardian, where none can be started.
  /// - Returns: the client, without a guardian where there is none.
  /// - Throws: `EndpointError` where there is no sequencer.
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
