// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

extension SequencerHandle {
  /// Returns every client with its ports: `snd_seq_query_next_client` and
  /// `snd_seq_query_next_port`.
  ///
  /// - Complexity: O(n) in the number of ports, with a system call for each.
  func devices() throws(EndpointError) -> [MIDIDevice] {
    var info: OpaquePointer?
    try EndpointError.check("list the clients", unsafe snd_seq_client_info_malloc(&info))
    defer { unsafe snd_seq_client_info_free(info) }
    unsafe snd_seq_client_info_set_client(info, -1)
    var devices: [MIDIDevice] = []
    while unsafe withPointer({ unsafe snd_seq_query_next_client($0, info) }) >= 0 {
      devices.append(unsafe try device(info))
    }
    return devices
  }

  /// Returns true if a client with this number exists: `snd_seq_get_any_client_info`.
  func isThere(_ client: UInt8) -> Bool {
    var info: OpaquePointer?
    guard unsafe snd_seq_client_info_malloc(&info) >= 0 else { return false }
    defer { unsafe snd_seq_client_info_free(info) }
    return unsafe withPointer { unsafe snd_seq_get_any_client_info($0, Int32(client), info) } >= 0
  }

  /// Returns every connection between ports: `snd_seq_query_port_subscribers`.
  ///
  /// - Complexity: O(n) in the number of ports and connections, with a system call for each.
  func connections(among devices: [MIDIDevice]) throws(EndpointError) -> [EndpointConnection] {
    var query: OpaquePointer?
    try EndpointError.check("list connections", unsafe snd_seq_query_subscribe_malloc(&query))
    defer { unsafe snd_seq_query_subscribe_free(query) }
    var connections: [EndpointConnection] = []
    for source in devices.flatMap({ $0.endpoints(.source) }) {
      var root = snd_seq_addr_t(source.address)
      unsafe snd_seq_query_subscribe_set_root(query, &root)
      unsafe snd_seq_query_subscribe_set_type(query, SND_SEQ_QUERY_SUBS_READ)
      var index: Int32 = 0
      unsafe snd_seq_query_subscribe_set_index(query, index)
      while unsafe withPointer({ unsafe snd_seq_query_port_subscribers($0, query) }) >= 0 {
        if let address = unsafe snd_seq_query_subscribe_get_addr(query) {
          let destination = unsafe EndpointAddress(address.pointee)
          connections.append(EndpointConnection(source: source.address, destination: destination))
        }
        index += 1
        unsafe snd_seq_query_subscribe_set_index(query, index)
      }
    }
    return connections.sorted()
  }

  @unsafe
  private func device(_ info: OpaquePointer?) throws(EndpointError) -> MIDIDevice {
    let number = UInt8(truncatingIfNeeded: unsafe snd_seq_client_info_get_client(info))
    let name = unsafe text(snd_seq_client_info_get_name(info))
    let card = Int(unsafe snd_seq_client_info_get_card(info))
    let process = Int(unsafe snd_seq_client_info_get_pid(info))
    return MIDIDevice(
      number: number, name: name,
      isKernel: unsafe snd_seq_client_info_get_type(info) == SND_SEQ_KERNEL_CLIENT,
      card: card < 0 ? nil : card, process: process < 0 ? nil : process,
      entities: try entities(of: number, named: name))
  }

  private func entities(
    of client: UInt8, named deviceName: String
  ) throws(EndpointError) -> [MIDIEntity] {
    var info: OpaquePointer?
    try EndpointError.check("list the ports", unsafe snd_seq_port_info_malloc(&info))
    defer { unsafe snd_seq_port_info_free(info) }
    unsafe snd_seq_port_info_set_client(info, Int32(client))
    unsafe snd_seq_port_info_set_port(info, -1)
    var entities: [MIDIEntity] = []
    while unsafe withPointer({ unsafe snd_seq_query_next_port($0, info) }) >= 0 {
      let entity = unsafe entity(info, of: client, named: deviceName)
      if entity.source != nil || entity.destination != nil { entities.append(entity) }
    }
    return entities
  }

  @unsafe
  private func entity(
    _ info: OpaquePointer?, of client: UInt8, named deviceName: String
  ) -> MIDIEntity {
    let port = UInt8(truncatingIfNeeded: unsafe snd_seq_port_info_get_port(info))
    let name = unsafe text(snd_seq_port_info_get_name(info))
    let capabilities = Int32(bitPattern: unsafe snd_seq_port_info_get_capability(info))
    let type = Int32(bitPattern: unsafe snd_seq_port_info_get_type(info))
    func endpoint(_ direction: Endpoint.Direction, needing wanted: Int32) -> Endpoint? {
      let isHidden = capabilities & SND_SEQ_PORT_CAP_NO_EXPORT != 0
      guard !isHidden, capabilities & wanted == wanted else { return nil }
      return Endpoint(
        direction: direction, address: EndpointAddress(client: client, port: port),
        deviceName: deviceName, name: name,
        isHardware: type & SND_SEQ_PORT_TYPE_HARDWARE != 0)
    }
    let reading = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
    let writing = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
    return MIDIEntity(
      port: port, name: name, source: endpoint(.source, needing: reading),
      destination: endpoint(.destination, needing: writing))
  }

  /// Names are bytes from a driver or a program; invalid UTF-8 is replaced.
  @unsafe
  private func text(_ name: UnsafePointer<CChar>?) -> String {
    guard let name = unsafe name else { return "" }
    return unsafe String(cString: name)
  }
}
