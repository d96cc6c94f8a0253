// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// What has ports of one kind: the ALSA sequencer, a network, a sound server, a program's memory.
///
/// A `PortSystem` asks it for what is there, and opens ports of ours by it. Until it is asked for
/// something it costs nothing: a name without a kind is looked for in every provider.
///
/// - Note: any thread may call it. Not real-time safe.
public protocol PortProvider: AnyObject, Sendable {
  /// The kind of its ports.
  var kind: PortKind { get }

  /// The ports of others that are there now, known without waiting.
  ///
  /// What is another kind's port under a second name, as a bridge has them, is left out.
  ///
  /// - Throws: where what has the ports is not there.
  func peers() throws -> EndpointList

  /// An endpoint that is in no list and can be reached all the same, such as `host:port` of a
  /// network; asked only for names with the kind before them, and only where no port of the list
  /// answers. From here on it is in the list as long as it can be reached, so that it is kept.
  ///
  /// - Parameters:
  ///   - text: what is written behind the kind.
  ///   - direction: which way its events go.
  /// - Returns: the endpoint; nil where the text names none.
  /// - Throws: where the text names one that cannot be.
  func unlistedEndpoint(_ text: String, _ direction: Endpoint.Direction) throws -> Endpoint?

  /// Begins to tell of ports that come and go.
  ///
  /// - Throws: where what has the ports is not there.
  func makeMonitor() throws -> any EndpointMonitor

  /// Opens a port of ours that sends; other programs see it by its name.
  ///
  /// - Parameters:
  ///   - name: the port's name.
  ///   - sysExSpeed: bytes a second of a long SysEx, above zero; nil for the kind's own: of ALSA's
  ///     ports that of a MIDI cable, over a network as fast as its receivers take it. A sound server
  ///     takes a message whole.
  /// - Returns: the port, without any destination.
  /// - Throws: where no port can be had.
  func makeOutput(named name: String, sysExSpeed: Int?) throws -> any OutputPort

  /// Opens a port of ours that receives; other programs see it by its name.
  ///
  /// - Parameters:
  ///   - name: the port's name.
  ///   - readsAhead: whether what comes is kept, up to 65,536 events, while whoever drains takes
  ///     his time; else he comes often.
  /// - Returns: the port, without any source.
  /// - Throws: where no port can be had.
  func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort

  /// Connects ports of this kind by a shorter way than through this program.
  ///
  /// - Parameters:
  ///   - sources: where events come from.
  ///   - destinations: where they go.
  ///   - senders: what passes, and how it changes.
  /// - Returns: the connection; nil where there is no shorter way.
  /// - Throws: `EndpointError.vanished` where a port went away.
  func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) throws -> (any ThruConnection)?
}

extension PortProvider {
  /// None: what is not in the list cannot be reached.
  public func unlistedEndpoint(_ text: String, _ direction: Endpoint.Direction) -> Endpoint? { nil }

  /// Nil: there is no shorter way.
  public func makeThru(
    from sources: [Endpoint], to destinations: [Endpoint], through senders: ThruSenders
  ) -> (any ThruConnection)? { nil }
}
