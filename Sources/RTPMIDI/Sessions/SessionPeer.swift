// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// One at the other end: how far the invitation has come, their clock, and the two streams.
struct SessionPeer: Sendable {
  enum Stage: Hashable, Sendable {
    /// We invite on their control port, on their port for music.
    case inviting(SessionSide)
    /// They invited us on the control port, and are to do so on the other.
    case expected
    case joined
  }

  /// After how long the clock is asked again: often at first, then eight times in a row every 5 s,
  /// since one answer alone says little where the network's delay varies; in nanoseconds.
  static func askPause(after count: Int) -> Int64 {
    switch count {
    case ..<12: 100_000_000
    case ..<20: 1_500_000_000
    default: (count - 20) % 8 == 0 ? 5_000_000_000 : 50_000_000
    }
  }
  /// How soon it is asked again where no answer came.
  static let askAgain: Int64 = 2_000_000_000
  /// How many octets of music a second are taken.
  static let mostOctets = 262_144
  /// The octets that a received message counts as, at least.
  static let octetsPerMessage = 3

  let number: Int
  /// The number of the invitation that led to them; nil where they came by themselves.
  let invitation: Int?
  var stage: Stage
  var token: UInt32
  /// Their number; 0 before they have said it.
  var source: UInt32
  var name: String
  var control: SessionAddress
  var music: SessionAddress
  /// How often they were invited, or since when they are expected.
  var tries = 0
  var nextTry: HostTime
  var heard: HostTime

  var clock: ClockTracker?
  /// What we asked and when.
  var asked: (units: UInt64, at: HostTime)?
  /// What they asked, and when we answered.
  var answered: (asked: UInt64, units: UInt64, at: HostTime)?
  var askCount = 0
  var nextAsk = HostTime(nanoseconds: .max)

  var outgoing: OutgoingStream
  var incoming = IncomingStream()
  /// Of this second: which, and what came.
  var octets = (second: Int64.min, count: 0)
  var isFlooding = false
  /// Bits a second that they take at most; nil where they did not say.
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

  /// Whether a datagram of a port of ours comes from them.
  func isFrom(_ source: UInt32, _ address: SessionAddress) -> Bool {
    self.source == source && source != 0 && (address == control || address == music)
  }

  mutating func join(at now: HostTime) {
    (stage, heard, tries) = (.joined, now, 0)
    if isInitiator { nextAsk = now }
  }

  /// Whether a packet is within what is taken of them in a second.
  mutating func takes(_ count: Int, at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if octets.second != second { octets = (second, 0) }
    octets.count += count
    return octets.count <= Self.mostOctets
  }

  /// Counts more than the octets of a packet towards what is taken in this second.
  mutating func charge(_ count: Int) { octets.count += max(0, count) }

  /// When something is to be done for them.
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
