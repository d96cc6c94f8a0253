// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

extension SequencerHandle {
  /// The purpose of a port.
  enum PortRole {
    case output, input
    /// An input that is hidden from other programs.
    case hiddenInput
    /// An output that is hidden from other programs.
    case hiddenOutput

    fileprivate var capabilities: Int32 {
      switch self {
      case .output: SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
      case .input: SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
      case .hiddenOutput: SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_NO_EXPORT
      case .hiddenInput: SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT
      }
    }
  }

  /// Creates a port: `snd_seq_create_port`; if a queue is given, received events are stamped with
  /// its real time.
  func createPort(
    name: String, role: PortRole, stampedBy queue: Int32? = nil
  ) throws(EndpointError) -> UInt8 {
    var info: OpaquePointer?
    try EndpointError.check("create a port", unsafe snd_seq_port_info_malloc(&info))
    defer { unsafe snd_seq_port_info_free(info) }
    unsafe snd_seq_port_info_set_name(info, name)
    unsafe snd_seq_port_info_set_capability(info, UInt32(role.capabilities))
    unsafe snd_seq_port_info_set_type(
      info, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    unsafe snd_seq_port_info_set_midi_channels(info, 16)
    if let queue {
      unsafe snd_seq_port_info_set_timestamping(info, 1)
      unsafe snd_seq_port_info_set_timestamp_real(info, 1)
      unsafe snd_seq_port_info_set_timestamp_queue(info, queue)
    }
    let code = unsafe withPointer { unsafe snd_seq_create_port($0, info) }
    try EndpointError.check("create a port", code)
    return UInt8(truncatingIfNeeded: unsafe snd_seq_port_info_get_port(info))
  }

  /// Deletes a port: `snd_seq_delete_port`; does nothing if it is already gone.
  func deletePort(_ port: UInt8) {
    _ = unsafe withPointer { unsafe snd_seq_delete_port($0, Int32(port)) }
  }

  /// Connects two ports: `snd_seq_subscribe_port`; does nothing if they are already connected.
  func connect(_ connection: EndpointConnection) throws(EndpointError) {
    unsafe try withSubscription(connection) { (sequencer, subscription) throws(EndpointError) in
      let code = unsafe snd_seq_subscribe_port(sequencer, subscription)
      if code != -EBUSY { try EndpointError.check("connect \(connection)", code) }
    }
  }

  /// Removes a connection: `snd_seq_unsubscribe_port`; returns false if there was none.
  func disconnect(_ connection: EndpointConnection) throws(EndpointError) -> Bool {
    unsafe try withSubscription(connection) { (sequencer, subscription) throws(EndpointError) in
      let code = unsafe snd_seq_unsubscribe_port(sequencer, subscription)
      if code == -ENOENT || code == -ENXIO || code == -EINVAL { return false }
      try EndpointError.check("disconnect \(connection)", code)
      return true
    }
  }

  private func withSubscription<Result>(
    _ connection: EndpointConnection,
    _ body: (OpaquePointer, OpaquePointer?) throws(EndpointError) -> Result
  ) throws(EndpointError) -> Result {
    var subscription: OpaquePointer?
    try EndpointError.check(
      "connect \(connection)", unsafe snd_seq_port_subscribe_malloc(&subscription))
    defer { unsafe snd_seq_port_subscribe_free(subscription) }
    var sender = snd_seq_addr_t(connection.source)
    var receiver = snd_seq_addr_t(connection.destination)
    unsafe snd_seq_port_subscribe_set_sender(subscription, &sender)
    unsafe snd_seq_port_subscribe_set_dest(subscription, &receiver)
    return unsafe try withPointer { (pointer) throws(EndpointError) in
      unsafe try body(pointer, subscription)
    }
  }
}

extension snd_seq_addr_t {
  /// The address in the form of the library.
  init(_ address: EndpointAddress) {
    self.init(client: address.client, port: address.port)
  }
}

extension EndpointAddress {
  /// Creates an address from the form of the library.
  init(_ address: snd_seq_addr_t) {
    self.init(client: address.client, port: address.port)
  }
}
