// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The other peers, each once for every gateway, until they are silent for too long.
package struct LinkPeers: Sendable {
  /// A peer and the gateway at which it is reached.
  package struct Key: Hashable, BitwiseCopyable, Sendable {
    package let node: LinkID
    package let gateway: LinkGateway
  }

  /// The state of a peer.
  package struct Peer: Hashable, BitwiseCopyable, Sendable {
    package internal(set) var session: LinkID
    package internal(set) var endpoint: LinkEndpoint?
    package internal(set) var deadline: HostTime
  }

  /// The maximum number of peers; further ones are ignored.
  package static let capacity = 1_000

  /// All peers.
  package private(set) var all: [Key: Peer] = [:]
  /// The earliest time at which a peer may expire.
  private(set) var nextDeadline = HostTime(nanoseconds: .max)

  /// Stores the state of a peer; false if the list is full.
  mutating func take(
    _ state: LinkPeerState, session: LinkID, of key: Key, until deadline: HostTime
  ) -> Bool {
    guard all[key] != nil || all.count < Self.capacity else { return false }
    all[key] = Peer(session: session, endpoint: state.endpoint, deadline: deadline)
    nextDeadline = min(nextDeadline, deadline)
    return true
  }

  /// Removes a peer that leaves.
  mutating func remove(_ key: Key) { all[key] = nil }

  /// Removes the peers behind a gateway.
  mutating func remove(by gateway: LinkGateway) {
    all = all.filter { $0.key.gateway != gateway }
  }

  /// Removes the peers that were silent for too long.
  mutating func forget(at now: HostTime) {
    guard now >= nextDeadline else { return }
    all = all.filter { $0.value.deadline > now }
    nextDeadline = all.values.map(\.deadline).min() ?? HostTime(nanoseconds: .max)
  }

  /// True if the session has a member.
  func hasMember(of session: LinkID) -> Bool { all.values.contains { $0.session == session } }

  /// Returns the number of peers in a session, each counted once.
  package func count(in session: LinkID) -> Int {
    Set(all.lazy.filter { $0.value.session == session }.map(\.key.node)).count
  }

  /// The peer to measure for a session's time: its founder, or else another member, at the first
  /// gateway.
  func target(for session: LinkID) -> (endpoint: LinkEndpoint, gateway: LinkGateway)? {
    let members = all.filter { $0.value.session == session && $0.value.endpoint != nil }
    let best = members.min { left, right in
      let (isFounder, other) = (left.key.node == session, right.key.node == session)
      if isFounder != other { return isFounder }
      if left.key.gateway != right.key.gateway { return left.key.gateway < right.key.gateway }
      return left.key.node < right.key.node
    }
    guard let best, let endpoint = best.value.endpoint else { return nil }
    return (endpoint, best.key.gateway)
  }
}
