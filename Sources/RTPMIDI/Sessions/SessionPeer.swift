// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A peer: the progress of its invitation, its clock, and the two streams.
struct SessionPeer: Sendable {
  enum Stage: Hashable, Sendable {
    /// It is invited, on its control port or its data port.
    case inviting(SessionSide)
    /// It has invited this node on the control port, and must do so on the data port too.
    case expected
    case joined
  }

  /// The time until the clocks are compared again, in nanoseconds.
  ///
  /// Often at first, then eight times in a row every 5 s, because one answer is not reliable if the
  /// network's delay varies.
  static func askPause(after count: Int) -> Int64 {
    switch count {
    case ..<12: 100_000_000
    case ..<20: 1_500_000_000
    default: (count - 20) % 8 == 0 ? 5_000_000_000 : 50_000_000
    }
  }
  /// The time until the comparison is repeated without an answer.
  static let askAgain: Int64 = 2_000_000_000
  /// The most bytes of packets that are accepted in one second.
  static let mostOctets = 262_144
  /// The least number of bytes that a received message counts as.
  static let octetsPerMessage = 3

  let number: Int
  /// The number of its invitation; nil if it joined uninvited.
  let invitation: Int?
  var stage: Stage
  var token: UInt32
  /// Its identifier; 0 before it is known.
  var source: UInt32
  var name: String
  var control: SessionAddress
  var music: SessionAddress
  /// The number of invitations.
  var tries = 0
  var nextTry: HostTime
  var heard: HostTime

  var clock: ClockTracker?
  /// The last request of the local node, and its time.
  var asked: (units: UInt64, at: HostTime)?
  /// The last request of the peer, and the time of the answer.
  var answered: (asked: UInt64, units: UInt64, at: HostTime)?
  var askCount = 0
  var nextAsk = HostTime(nanoseconds: .max)

  var outgoing: OutgoingStream
  var incoming = IncomingStream()
  /// The current second, and the bytes received in it.
  var octets = (second: Int64.min, count: 0)
  var isFlooding = false
  /// The limit of bits per second that the peer has sent; nil for none.
  var bitRate: UInt32?

  init(
    number: Int, invitation: Int? = nil, stage: Stage, token: UInt32, source: UInt32 = 0,
    name: String, control: SessionAddress, music: SessionAddress, sequence: UInt16, at now: HostTime
  ) {
    (self.number, self.invitation, self.stage) = (number, invitation, stage)
    (self.token, self.source, self.name) = (token, source, name)
    (self.control, self.music) = (control, music)
    (nextTry, heard) = (now, now)
    outgoing = OutgoingStream(sequence: sequence)
  }

  var isInitiator: Bool { invitation != nil }
  var isJoined: Bool { stage == .joined }

  var partner: SessionPartner {
    SessionPartner(number: number, name: name, address: control, isInvited: isInitiator)
  }

  var standing: SessionStanding {
    SessionStanding(
      partner: partner, isJoined: isJoined, latency: clock?.latency, drift: clock?.drift,
      lostCount: incoming.lostCount, receivedCount: incoming.count, sentCount: outgoing.count)
  }

  /// Returns true if a datagram is from this peer.
  func isFrom(_ source: UInt32, _ address: SessionAddress) -> Bool {
    self.source == source && source != 0 && (address == control || address == music)
  }

  mutating func join(at now: HostTime) {
    (stage, heard, tries) = (.joined, now, 0)
    if isInitiator { nextAsk = now }
  }

  /// Counts a packet; returns true if it is within the limit of bytes per second.
  mutating func takes(_ count: Int, at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if octets.second != second { octets = (second, 0) }
    octets.count += count
    return octets.count <= Self.mostOctets
  }

  /// Adds to the number of bytes received in this second.
  mutating func charge(_ count: Int) { octets.count += max(0, count) }

  /// The time of the next action for this peer.
  func nextDue(silence: Int64, expectation: Int64) -> HostTime {
    switch stage {
    case .inviting: nextTry
    case .expected: heard.advanced(saturating: expectation)
    case .joined:
      min(
        heard.advanced(saturating: silence), nextAsk, outgoing.nextGuard, incoming.nextReport)
    }
  }
}
