// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIMessages
public import MIDIPorts
internal import Synchronization

/// An ALSA port of this program that receives events from connected sources.
///
/// The time of each event is the host time at which the kernel received it; its `track` is the
/// sender's address (`EndpointAddress(track:)`). Other programs see the port as a virtual
/// destination, and can connect to it.
///
/// - Note: Any thread. Not real-time safe.
public final class ALSAInputPort: InputPort, Sendable {
  /// The client that owns the port.
  public let client: ALSAClient
  /// The address of the port.
  public let address: EndpointAddress

  /// Creates an input port.
  ///
  /// - Parameters:
  ///   - client: The client that owns the port.
  ///   - name: The name of the port, visible to other programs.
  /// - Throws: `EndpointError.refused` if the kernel cannot create another port.
  public convenience init(_ client: ALSAClient, name: String) throws(EndpointError) {
    try self.init(client, name: name, keepsPieces: false)
  }

  /// Creates a port; if `keepsPieces` is true, each piece of a SysEx is a separate event, with
  /// F0 and F7 among its bytes.
  init(_ client: ALSAClient, name: String, keepsPieces: Bool) throws(EndpointError) {
    self.client = client
    let port = try client.state.withLock { (state) throws(EndpointError) in
      let port = try state.handle.createPort(name: name, role: .input, stampedBy: state.queue)
      state.inboxes[port] = Inbox(keepsPieces: keepsPieces)
      return port
    }
    address = EndpointAddress(client: client.number, port: port)
  }

  deinit {
    client.state.withLock { state in
      state.handle.deletePort(address.port)
      state.inboxes[address.port] = nil
    }
  }

  /// The number of times that events were lost because `drain(into:)` was called too late.
  ///
  /// After a loss, the next call of `drain(into:)` returns note-offs for all sounding notes, so
  /// that no note keeps sounding.
  public var overflows: Int {
    client.state.withLock { $0.inboxes[address.port]?.overflows ?? 0 }
  }

  /// Receives events from a source from now on.
  ///
  /// - Parameter source: The port to receive from.
  /// - Throws: `EndpointError.vanished` if the source has disappeared.
  public func connect(to source: Endpoint) throws(EndpointError) {
    let connection = EndpointConnection(source: source.address, destination: address)
    try client.connect(connection, naming: source)
  }

  /// Returns the address of the sender of events with this `track`, such as `20:0`.
  public func senderName(_ track: UInt16) -> String { "\(EndpointAddress(track: track))" }

  /// The address of the port, such as `129:0`.
  public var description: String { "\(address)" }

  /// The file descriptor of the client, which becomes readable when there are events to drain.
  public var descriptors: [Int32] { [client.inputDescriptor] }

  /// Takes all received events from the kernel, to be drained later; at most 65,536 events are
  /// kept.
  func fetch() throws(EndpointError) {
    try client.state.withLock { (state) throws(EndpointError) in
      try state.lookAtQueue()
      try state.receive()
    }
  }

  /// Appends all events received since the last call, in the order of arrival.
  ///
  /// - Parameter buffer: The buffer to append to.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
  public func drain(into buffer: inout HostEventBuffer) throws(EndpointError) {
    try client.state.withLock { (state) throws(EndpointError) in
      try state.lookAtQueue()
      try state.receive()
      state.inboxes[address.port]?.drain(into: &buffer)
    }
  }
}

extension ALSAClient {
  /// Connects two ports; if a port is gone, the error names this endpoint.
  func connect(
    _ connection: EndpointConnection, naming endpoint: Endpoint
  ) throws(EndpointError) {
    do {
      try connect(connection)
    } catch .refused(_, EINVAL) {
      // The kernel's error for a client or a port that does not exist.
      throw .vanished(name: "\(endpoint)")
    }
  }
}
