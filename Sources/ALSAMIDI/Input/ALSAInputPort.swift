// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIMessages
public import MIDIPorts
internal import Synchronization

/// A port of ours that receives: from sources it connects to, or from whoever connects to it.
///
/// Each event carries the time at which the kernel had it, as host time, and in `track` the
/// sender's address (`EndpointAddress(track:)`). With no source connected it is a virtual
/// destination that other programs see.
///
/// - Note: any thread may use it. Not real-time safe.
public final class ALSAInputPort: InputPort, Sendable {
  /// The client the port belongs to.
  public let client: ALSAClient
  /// The port's own address.
  public let address: EndpointAddress

  /// Creates a port; other programs see it by its name.
  ///
  /// - Throws: `EndpointError.refused` where the kernel has no port left.
  public convenience init(_ client: ALSAClient, name: String) throws(EndpointError) {
    try self.init(client, name: name, keepsPieces: false)
  }

  /// Creates a port; `keepsPieces` has each piece of a SysEx be an event, F0 and F7 among its
  /// bytes, in the place of the whole.
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

  /// How often events were lost because nobody drained them in time.
  ///
  /// Each time the next drain brings the releases of everything that was held, so that nothing
  /// hangs on what was lost.
  public var overflows: Int {
    client.state.withLock { $0.inboxes[address.port]?.overflows ?? 0 }
  }

  /// Receives from a source from now on.
  ///
  /// - Throws: `EndpointError.vanished` where it went away.
  public func connect(to source: Endpoint) throws(EndpointError) {
    let connection = EndpointConnection(source: source.address, destination: address)
    try client.connect(connection, naming: source)
  }

  /// The sender's address: `20:0`.
  public func senderName(_ track: UInt16) -> String { "\(EndpointAddress(track: track))" }

  /// The address: `129:0`.
  public var description: String { "\(address)" }

  /// The client's descriptor: it becomes readable when there is something to drain.
  public var descriptors: [Int32] { [client.inputDescriptor] }

  /// Takes what has come out of the kernel, to be drained later; at most 65,536 events are kept.
  func fetch() throws(EndpointError) {
    try client.state.withLock { (state) throws(EndpointError) in
      try state.lookAtQueue()
      try state.receive()
    }
  }

  /// Appends everything received since the last call, in the order of arrival.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func drain(into buffer: inout HostEventBuffer) throws(EndpointError) {
    try client.state.withLock { (state) throws(EndpointError) in
      try state.lookAtQueue()
      try state.receive()
      state.inboxes[address.port]?.drain(into: &buffer)
    }
  }
}

extension ALSAClient {
  /// Connects, and says which port it was that went away.
  func connect(
    _ connection: EndpointConnection, naming endpoint: Endpoint
  ) throws(EndpointError) {
    do {
      try connect(connection)
    } catch .refused(_, EINVAL) {
      // The kernel's word for a client or a port that is not there.
      throw .vanished(name: "\(endpoint)")
    }
  }
}
