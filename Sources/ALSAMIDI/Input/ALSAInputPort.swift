// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIMessages
public import MIDIPorts
internal import Synchronization

/// A port of this program that receives events from sources that it connects to, or from programs
/// that connect to it.
///
/// The time of each event is the host time at which the kernel received it; its `track` is the
/// sender's address (`EndpointAddress(track:)`). If no source is connected, the port is a virtual
/// destination that other programs see.
///
/// - Note: Any thread. Not real-time safe.
public final class ALSAInputPort: InputPort, Sendable {
  /// The client of the port.
  public let client: ALSAClient
  /// The address of the port.
  public let address: EndpointAddress

  /// Creates a port.
  ///
  /// - Parameters:
  ///   - client: The client.
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

  /// The number of times that events were lost because they were drained too late.
  ///
  /// After a loss, the next call of `drain(into:)` returns note-offs for all sounding notes, so
  /// that no note hangs.
  public var overflows: Int {
    client.state.withLock { $0.inboxes[address.port]?.overflows ?? 0 }
  }

  /// Receives events from a source from now on.
  ///
  /// - Parameter source: The source.
  /// - Throws: `EndpointError.vanished` if the source is gone.
  public func connect(to source: Endpoint) throws(EndpointError) {
    let connection = EndpointConnection(source: source.address, destination: address)
    try client.connect(connection, naming: source)
  }

  /// Returns the address of a sender: `20:0`.
  public func senderName(_ track: UInt16) -> String { "\(EndpointAddress(track: track))" }

  /// The address of the port: `129:0`.
  public var description: String { "\(address)" }

  /// The descriptor of the client, which becomes readable when there are events to drain.
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
  /// - Throws: `EndpointError.refused` if the sequencer is gone.
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
