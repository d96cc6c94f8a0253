// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime

/// What became of a session's parties.
package enum SessionFact: Hashable, Sendable {
  /// Somebody is in the session from here on.
  case joined(SessionPartner)
  /// Somebody said farewell.
  case left(SessionPartner)
  /// Nothing came of somebody for a minute.
  case lost(SessionPartner)
  /// Somebody came anew before they had left.
  case replaced(SessionPartner)
  /// Whom we invited says no.
  case refused(SessionPartner)
  /// Whom we invited says nothing; we go on.
  case unanswered(SessionPartner)
  /// Who wanted to come may not, by our rules.
  case turnedAway(SessionPartner)
  /// There is no room for one more.
  case full(SessionPartner)
  /// Somebody sends more than is taken; the rest is left out.
  case flooded(SessionPartner)
}

/// Somebody at the other end of a session.
package struct SessionPartner: Hashable, Sendable {
  /// Their number in this session, from 1; 0 for one that is none of it.
  package let number: Int
  /// The name that they gave, or that they were invited by; it may have any characters.
  package let name: String
  /// Where they listen.
  package let address: SessionAddress
  /// Whether we invited them.
  package let isInvited: Bool
}

/// Something that was received, when it is to sound.
package struct SessionEvent: Hashable, Sendable {
  /// What came.
  package enum Content: Hashable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A whole SysEx, without its F0 and F7.
    case sysEx([UInt8])
  }

  /// When it is to sound: now, or some microseconds ago.
  package let time: HostTime
  /// The number of the partner who sent it.
  package let partner: Int
  /// What came.
  package let content: Content
}

/// How a partner stands.
package struct SessionStanding: Hashable, Sendable {
  /// Who it is.
  package let partner: SessionPartner
  /// Whether they are in the session; if not they are invited, or on their way.
  package let isJoined: Bool
  /// Half of what an exchange of times last took, in nanoseconds; nil before the first.
  package let latency: Int64?
  /// By how many millionths their clock is faster than ours; nil before it is known.
  package let drift: Double?
  /// How many of their packets were lost on the way.
  package let lostCount: Int
  /// How many packets came of them, and went to them.
  package let receivedCount: Int
  /// How many packets went to them.
  package let sentCount: Int
}

/// What a node wants done: datagrams sent, events played, facts told.
package struct SessionOutput: Sendable {
  /// To be sent at once, in order.
  package internal(set) var sends: [SessionSend] = []
  /// To be played at once, in the order of their times.
  package internal(set) var events: [SessionEvent] = []
  /// What happened.
  package internal(set) var facts: [SessionFact] = []
}
