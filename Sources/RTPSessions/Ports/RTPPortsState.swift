// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import NetworkSockets
internal import RTPMIDI
internal import Realtime

/// The state of `RTPPorts`: peers, and sessions of the program.
struct RTPPortsState {
  /// A peer that a session of the program invites.
  struct Invitation {
    let session: RTPSession
    let name: String
    var address: SocketAddress
  }

  var host: SessionHost?
  var directory: ServiceDirectory?
  var monitors: [DeadlineWait] = []
  var sessions: [RTPSession] = []
  var invitations: [Invitation] = []
  /// Sessions that only ask if a machine answers at an address.
  var scouts: [String: RTPSession] = [:]
  /// The addresses of sessions that were named by address.
  var named: [String: SocketAddress] = [:]
  /// The peers that have joined a session of the program, and those that were invited but have not.
  var joined: Set<String> = []
  var absent: Set<String> = []
  var refused: Set<String> = []
  private var numbering = EndpointNumbering(.rtp)
  private(set) var senders: [UInt16: String] = [:]

  /// The current address of a peer.
  func address(of name: String) -> SocketAddress? {
    named[name] ?? directory?.services.first { $0.name == name }?.address
  }

  /// The name under which a peer was invited.
  func name(of partner: SessionPartner) -> String? {
    guard partner.isInvited else { return nil }
    let address = partner.address.socketAddress
    return invitations.first { $0.address == address }?.name
  }

  /// Processes a report about an invited peer.
  mutating func note(_ fact: SessionFact) {
    switch fact {
    case .joined(let partner):
      guard let name = name(of: partner) else { return }
      joined.insert(name)
      absent.remove(name)
      refused.remove(name)
    case .left(let partner), .lost(let partner), .unanswered(let partner):
      guard let name = name(of: partner) else { return }
      joined.remove(name)
      absent.insert(name)
    case .refused(let partner):
      guard let name = name(of: partner) else { return }
      refused.insert(name)
      absent.insert(name)
    case .replaced, .turnedAway, .full, .flooded: return
    }
  }

  /// Removes a session of the program, and the states of peers that only this session had invited.
  mutating func forget(_ session: RTPSession) {
    let names = Set(invitations.filter { $0.session === session }.map(\.name))
    invitations.removeAll { $0.session === session }
    sessions.removeAll { $0 === session }
    for name in names.subtracting(invitations.map(\.name)) {
      joined.remove(name)
      absent.remove(name)
      refused.remove(name)
    }
  }

  /// The present sessions.
  mutating func list() -> EndpointList {
    let names = joined.union(named.keys).union(directory?.services.map(\.name) ?? [])
    return EndpointList(devices: names.subtracting(absent).sorted().map { device($0) })
  }

  private mutating func device(_ name: String) -> MIDIDevice {
    let source = endpoint(name, .source)
    let entity = MIDIEntity(
      port: source.address.port, name: name, source: source,
      destination: endpoint(name, .destination))
    return MIDIDevice(.rtp, number: source.address.client, name: name, entities: [entity])
  }

  /// One direction of a peer's session.
  mutating func endpoint(_ name: String, _ direction: Endpoint.Direction) -> Endpoint {
    Endpoint(
      .rtp, direction: direction, address: numbering.address(of: name), deviceName: name,
      name: name)
  }

  /// The `track` for events of a peer.
  mutating func track(of partner: SessionPartner) -> UInt16 {
    let name = name(of: partner) ?? partner.name
    let track = numbering.address(of: name).track
    senders[track] = "rtp:\(name)"
    return track
  }
}
