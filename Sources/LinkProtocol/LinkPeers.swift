// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The other peers, each once for every way that leads to it, until they are silent for too long.
package struct LinkPeers: Sendable {
  /// Who, and by which way.
  package struct Key: Hashable, BitwiseCopyable, Sendable {
    package let node: LinkID
    package let gateway: LinkGateway
  }

  /// What is known of one.
  package struct Peer: Hashable, BitwiseCopyable, Sendable {
    package internal(set) var session: LinkID
    package internal(set) var endpoint: LinkEndpoint?
    package internal(set) var deadline: HostTime
  }

  /// How many are kept; further ones are not heard.
  package static let capacity = 1_000

  /// All of them.
  package private(set) var all: [Key: Peer] = [:]
  /// No earlier than this is one to be forgotten.
  private(set) var nextDeadline = HostTime(nanoseconds: .max)

  /// Takes what one says of itself; whether there was room.
  mutating func take(
    _ state: LinkPeerState, session: LinkID, of key: Key, until deadline: HostTime
  ) -> Bool {
    guard all[key] != nil || all.count < Self.capacity else { return false }
    all[key] = Peer(session: session, endpoint: state.endpoint, deadline: deadline)
    nextDeadline = min(nextDeadline, deadline)
    return true
  }

  /// Forgets one that leaves.
  mutating func remove(_ key: Key) { all[key] = nil }

  /// Forgets those by a way that is closed.
  mutating func remove(by gateway: LinkGateway) {
    all = all.filter { $0.key.gateway != gateway }
  }

  /// Forgets those that were silent for too long.
  mutating func forget(at now: HostTime) {
    guard now >= nextDeadline else { return }
    all = all.filter { $0.value.deadline > now }
    nextDeadline = all.values.map(\.deadline).min() ?? HostTime(nanoseconds: .max)
  }

  /// Whether anybody is in a session.
  func hasMember(of session: LinkID) -> Bool { all.values.contains { $0.session == session } }

  /// How many peers are in a session, each counted once.
  package func count(in session: LinkID) -> Int {
    Set(all.lazy.filter { $0.value.session == session }.map(\.key.node)).count
  }

  /// Whom to ask for a session's time: its founder, else another member, by the first way.
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
