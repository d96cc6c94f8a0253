// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime

/// An event concerning a session's peers.
package enum SessionFact: Hashable, Sendable {
  /// A peer joined the session.
  case joined(SessionPartner)
  /// A peer left the session.
  case left(SessionPartner)
  /// A peer was silent for a minute and was removed.
  case lost(SessionPartner)
  /// A peer joined again before it had left.
  case replaced(SessionPartner)
  /// An invited peer refused.
  case refused(SessionPartner)
  /// An invited peer does not answer; the invitation is repeated.
  case unanswered(SessionPartner)
  /// A peer was refused by the session's rules.
  case turnedAway(SessionPartner)
  /// A peer was refused because the session is full.
  case full(SessionPartner)
  /// A peer sends more than is accepted; the rest is ignored.
  case flooded(SessionPartner)
}

/// A peer of a session.
package struct SessionPartner: Hashable, Sendable {
  /// The number in this session, from 1; 0 for a machine that is not a peer.
  package let number: Int
  /// The name that the peer sent, or under which it was invited.
  ///
  /// It can contain any characters.
  package let name: String
  /// The address of the control port.
  package let address: SessionAddress
  /// True if the peer was invited by this machine.
  package let isInvited: Bool
}

/// A received event with its time.
package struct SessionEvent: Hashable, Sendable {
  /// The kinds of content.
  package enum Content: Hashable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A complete SysEx message without F0 and F7.
    case sysEx([UInt8])
  }

  /// The time at which it is played: now, or up to some microseconds ago.
  package let time: HostTime
  /// The number of the peer that sent it.
  package let partner: Int
  /// The content.
  package let content: Content
}

/// The state of a peer.
package struct SessionStanding: Hashable, Sendable {
  /// The peer.
  package let partner: SessionPartner
  /// True if the peer has joined the session; false while it is invited or joining.
  package let isJoined: Bool
  /// Half of the last round-trip time, in nanoseconds; nil before the first exchange.
  package let latency: Int64?
  /// The millionths by which the peer's clock is faster than the local clock; nil if not known yet.
  package let drift: Double?
  /// The number of the peer's packets that were lost.
  package let lostCount: Int
  /// The number of packets received from the peer.
  package let receivedCount: Int
  /// The number of packets sent to the peer.
  package let sentCount: Int
}

/// The results of a node: datagrams to send, events to play, and facts to report.
package struct SessionOutput: Sendable {
  /// The datagrams to send at once, in order.
  package internal(set) var sends: [SessionSend] = []
  /// The events to play at once, in order of time.
  package internal(set) var events: [SessionEvent] = []
  /// The facts to report.
  package internal(set) var facts: [SessionFact] = []
}
