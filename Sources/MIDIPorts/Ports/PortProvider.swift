// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A provider of ports of one kind, such as the ALSA sequencer, a network, a sound server or
/// memory.
///
/// A `PortSystem` uses a provider to list ports and to open ports of the program. Opening a
/// provider should be fast, because a name without a kind is searched in all providers.
///
/// - Note: Can be called from any thread. Not real-time safe.
public protocol PortProvider: AnyObject, Sendable {
  /// The kind of the ports.
  var kind: PortKind { get }

  /// The ports of other programs and devices, without waiting.
  ///
  /// A port of another kind that appears a second time through a bridge is left out.
  ///
  /// - Throws: An error if the system that provides the ports is not available.
  func peers() throws -> EndpointList

  /// Finds an endpoint that is not in the list but can be reached, such as `host:port` on a
  /// network.
  ///
  /// It is called only for texts with a kind, and only if no port in the list matches. The endpoint
  /// is then added to the list while it can be reached, so that it stays connected.
  ///
  /// - Parameters:
  ///   - text: The text after the kind.
  ///   - direction: The direction of events.
  /// - Returns: The endpoint; nil if the text does not name one.
  /// - Throws: An error if the text names an endpoint that cannot be used.
  func unlistedEndpoint(_ text: String, _ direction: Endpoint.Direction) throws -> Endpoint?

  /// Creates a monitor of ports that appear and disappear.
  ///
  /// - Throws: An error if the system that provides the ports is not available.
  func makeMonitor() throws -> any EndpointMonitor

  /// Opens a port of the program that sends.
  ///
  /// - Parameters:
  ///   - name: The name that other programs see.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second, above 0. Nil for the default of
  ///     the kind: for ALSA the speed of a MIDI cable; on a network as fast as receivers accept it.
  ///     A sound server accepts only whole messages.
  /// - Returns: The port, without destinations.
  /// - Throws: An error if the port cannot be opened.
  func makeOutput(named name: String, sysExSpeed: Int?) throws -> any OutputPort

  /// Opens a port of the program that receives.
  ///
  /// - Parameters:
  ///   - name: The name that other programs see.
  ///   - readsAhead: True to store up to 65,536 received events until they are drained. If false,
  ///     the caller must drain often.
  /// - Returns: The port, without sources.
  /// - Throws: An error if the port cannot be opened.
  func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort

  /// Connects ports of this kind directly, without passing events through the program.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - destinations: The destinations.
  ///   - senders: The filter and transform.
  /// - Returns: The connection; nil if a direct connection is not possible.
  /// - Throws: `EndpointError.vanished` if a port disappeared.
  func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) throws -> (any ThruConnection)?
}

extension PortProvider {
  /// Returns nil: only listed ports can be used.
  public func unlistedEndpoint(_ text: String, _ direction: Endpoint.Direction) -> Endpoint? { nil }

  /// Returns nil: direct connections are not supported.
  public func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) -> (any ThruConnection)? { nil }
}
