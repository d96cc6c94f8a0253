// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIPorts
internal import Synchronization

/// Reports when ports appear and disappear, and when they are connected and disconnected, as
/// announced by the kernel.
///
/// The monitor uses a separate client with a port that is hidden from other programs.
///
/// - Note: Any thread. Not real-time safe.
public final class ALSAEndpointMonitor: EndpointMonitor, Sendable {
  /// The file descriptor that becomes readable when there are changes.
  public let descriptor: Int32
  /// The address of the kernel's announcements: 0:1.
  private static let announcements = EndpointAddress(client: 0, port: 1)
  private let client: UInt8
  private let state: Mutex<MonitorState>

  /// Starts monitoring.
  ///
  /// - Throws: `EndpointError.noSequencer` or `noPermission`, or `refused` if the kernel refuses
  ///   the request.
  public init() throws(EndpointError) {
    let handle = try SequencerHandle(name: "downbeat watch")
    let port = try handle.createPort(name: "announcements", role: .hiddenInput)
    client = handle.client
    descriptor = handle.inputDescriptor
    let own = EndpointAddress(client: client, port: port)
    try handle.connect(EndpointConnection(source: Self.announcements, destination: own))
    // Listed after the subscription: changes in between are announced and already in the list.
    let list = EndpointList(devices: try handle.devices()).without(client: client)
    state = Mutex(MonitorState(handle: handle, list: list))
  }

  /// The ports as they were at the last call of `changes()`.
  public var endpoints: EndpointList { state.withLock { $0.list } }

  /// Returns the changes since the last call, in order; empty without changes.
  ///
  /// - Returns: The changes.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
  public func changes() throws(EndpointError) -> [EndpointChange] {
    try state.withLock { (state) throws(EndpointError) in
      try state.changes(hiding: client)
    }
  }
}

private struct MonitorState: ~Copyable, Sendable {
  let handle: SequencerHandle
  var list: EndpointList

  mutating func changes(hiding own: UInt8) throws(EndpointError) -> [EndpointChange] {
    var connections: [EndpointChange] = []
    var mustList = false
    while true {
      let receipt = unsafe try handle.receive { event in
        if let change = unsafe Self.change(event) {
          if !Self.concerns(own, change) { connections.append(change) }
        } else {
          mustList = true
        }
      }
      // Lost announcements are recovered by a new list.
      if case .overflow = receipt { mustList = true }
      if case .nothing = receipt { break }
    }
    guard mustList else { return connections }
    let new = EndpointList(devices: try handle.devices()).without(client: own)
    defer { list = new }
    return EndpointChange.between(list, new) + connections
  }

  private static func change(_ event: snd_seq_event_t) -> EndpointChange? {
    let ends = unsafe event.data.connect
    let connection = EndpointConnection(
      source: EndpointAddress(ends.sender), destination: EndpointAddress(ends.dest))
    switch unsafe snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_SUBSCRIBED: return .connected(connection)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED: return .disconnected(connection)
    default: return nil
    }
  }

  /// Returns true if a change is a connection of the given client.
  private static func concerns(_ client: UInt8, _ change: EndpointChange) -> Bool {
    switch change {
    case .appeared, .vanished: false
    case .connected(let connection), .disconnected(let connection):
      connection.source.client == client || connection.destination.client == client
    }
  }
}
