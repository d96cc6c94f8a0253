// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
package import MusicalTime

/// One party of MIDI sessions as a value: datagrams, events and the time go in, datagrams and events
/// come out.
///
/// Others invite it, and it invites others; all that are in hear what it sends, each in a stream of
/// their own. Nothing here waits or reads a clock: call `due` when `nextDue` has come, and do at once
/// what `takeOutput` says.
///
/// Source: Apple, MIDI Network Driver Protocol; RFC 6295.
package struct SessionNode: Sendable {
  /// How many partners there are at most, and how many of these on their way.
  package static let capacity = 32
  /// The most guests from one address: a single machine cannot take every seat.
  package static let guestsPerHost = 8
  static let expectedCapacity = 16
  /// After how long a partner who says nothing is gone, in nanoseconds.
  package static let silence: Int64 = 60_000_000_000
  /// How long one who was let in has to come, in nanoseconds.
  static let expectation: Int64 = 15_000_000_000
  /// How many times a second apart one is invited before we say that they do not answer.
  static let tries = 12
  static let tryPeriod: Int64 = 1_000_000_000
  /// How far apart after that, and after they have left.
  static let slowTryPeriod: Int64 = 2_500_000_000
  /// How long after a refusal.
  static let refusalPeriod: Int64 = 10_000_000_000
  /// Within this a partner counts as there: nobody takes their place.
  static let presence: Int64 = 2_000_000_000
  /// How many answers a second strangers get at most.
  static let answersPerSecond = 50
  /// How long before it is due a packet leaves, in nanoseconds: so much a network may delay it.
  package static let lead: Int64 = 5_000_000
  /// How much later than the first of a packet the others may be, in nanoseconds.
  static let span: Int64 = 1_000_000
  /// The octets of commands in a packet: so that a journal has room.
  static let listRoom = 700
  /// The longest SysEx that goes at once, in octets.
  package static let longestSysExAtOnce = SessionQueue.longestAtOnce
  /// The octets of long SysEx messages that wait at most, unless one alone is longer.
  package static let longSysExRoom = SessionQueue.longRoom
  /// How many received events wait for their times at most.
  static let arrivalCapacity = 16_384

  /// What we are called.
  package let name: String
  /// The number that our packets carry.
  package let source: UInt32
  /// Who may come.
  package let rules: SessionRules
  /// Whether others may come by themselves.
  package var isOpen = true
  /// How much later than its stamp says an event is played, in nanoseconds.
  package let delay: Int64
  /// Octets a second of a long SysEx; nil for as fast as the session's window allows.
  let sysExSpeed: Int?

  // A clock of its own, so that nobody learns for how long the machine runs.
  private let origin: HostTime
  var random: SessionRandom
  var peers: [SessionPeer] = []
  var invitations: [Invitation] = []
  var queue = SessionQueue()
  /// What was begun in packets that have left.
  var ledger = NoteLedger()
  /// The latest time at which something that has left is to sound.
  package internal(set) var lastTime = HostTime.zero
  var arrivals: [IncomingStream.Arrival] = []
  var output = SessionOutput()
  var answers = (second: Int64.min, count: 0)
  var turnedAway: [SessionAddress.Host] = []
  private var lastNumber = 0

  /// Whom we want in the session.
  struct Invitation: Sendable {
    let number: Int
    let name: String
    var address: SessionAddress
    var next: HostTime
    /// Whether they are only asked if they are there.
    var isQuestion: Bool
    var isUnanswered = false
    var isRefused = false
  }

  /// Creates a party of no session.
  ///
  /// - Parameters:
  ///   - name: What others see, cut to 63 octets.
  ///   - rules: Who may come.
  ///   - delay: How much later than its stamp says an event is played, in nanoseconds; what comes
  ///     later than that is played at once.
  ///   - sysExSpeed: Octets a second of a long SysEx, at least 1; nil for as fast as the session's
  ///     window allows.
  ///   - seed: What numbers are drawn from; another for every node.
  ///   - now: The time.
  package init(
    name: String, rules: SessionRules = SessionRules(), delay: Int64 = 5_000_000,
    sysExSpeed: Int? = nil, seed: UInt64, at now: HostTime
  ) {
    random = SessionRandom(seed: seed)
    self.name = Self.cut(name)
    (self.rules, self.delay) = (rules, max(0, delay))
    self.sysExSpeed = sysExSpeed.map { max(1, $0) }
    source = random.number()
    origin = now.advanced(saturating: -Int64.random(in: 1...1_000_000, using: &random) * 1_000_000)
  }

  /// A name of at most 63 octets, which is what services may have.
  static func cut(_ name: String) -> String {
    var name = name
    while name.utf8.count > 63 { name.removeLast() }
    return name
  }

  /// How everybody stands who is in the session, on their way or invited.
  package var standings: [SessionStanding] { peers.map(\.standing) }

  /// How many events wait to be sent.
  package var waitingCount: Int { queue.count }

  /// How many octets of long SysEx messages have left, and of how many, F0 and F7 included; without
  /// one both are 0.
  package var sysExProgress: (sent: Int, total: Int) { queue.sysExProgress }

  /// What our clock says, in 100 µs.
  func units(at time: HostTime, roundedUp: Bool = false) -> UInt64 {
    let passed = time.nanoseconds &- origin.nanoseconds &+ (roundedUp ? ClockTracker.unit - 1 : 0)
    return UInt64(bitPattern: passed / ClockTracker.unit)
  }

  /// Invites somebody, and goes on until they come, and whenever they have gone.
  ///
  /// - Parameters:
  ///   - address: Their control port.
  ///   - name: What we call them until they say a name.
  ///   - isQuestion: Whether they are only asked if they are there: who answers is told of as if they
  ///     had joined, and is bidden farewell before they have.
  ///   - now: The time.
  /// - Returns: The number of the invitation.
  @discardableResult
  package mutating func invite(
    _ address: SessionAddress, name: String, isQuestion: Bool = false, at now: HostTime
  ) -> Int {
    lastNumber += 1
    invitations.append(
      Invitation(
        number: lastNumber, name: Self.cut(name), address: address, next: now,
        isQuestion: isQuestion))
    return lastNumber
  }

  /// Whoever was invited has moved; they are invited there, unless they are in the session.
  package mutating func move(_ invitation: Int, to address: SessionAddress, at now: HostTime) {
    guard let place = invitations.firstIndex(where: { $0.number == invitation }),
      invitations[place].address != address
    else { return }
    invitations[place].address = address
    guard let peer = peers.firstIndex(where: { $0.invitation == invitation && !$0.isJoined })
    else { return }
    peers.remove(at: peer)
    invitations[place].next = now
  }

  /// Takes leave of everybody; what they have begun is ended.
  package mutating func leave(at now: HostTime) {
    invitations = []
    for peer in peers {
      sayFarewell(to: peer)
      remove(peer.number, at: now) { _ in nil }
    }
  }

  /// What is to be done since the last call.
  package mutating func takeOutput() -> SessionOutput {
    defer { output = SessionOutput() }
    return output
  }

  /// When `due` is to be called next; sooner does no harm.
  package var nextDue: HostTime {
    var next = arrivals.first?.time ?? HostTime(nanoseconds: .max)
    if let time = queue.nextTime { next = min(next, time.advanced(saturating: -Self.lead)) }
    for invitation in invitations where !isTaken(invitation.number) {
      next = min(next, invitation.next)
    }
    for peer in peers {
      next = min(next, peer.nextDue(silence: Self.silence, expectation: Self.expectation))
    }
    return next
  }

  /// Does what is due.
  ///
  /// - Complexity: O(n) in the number of partners and of what is due.
  package mutating func due(at now: HostTime) {
    deliver(at: now)
    beginInvitations(at: now)
    for number in peers.map(\.number) { attend(to: number, at: now) }
    sendQueued(at: now)
  }

  mutating func send(_ octets: [UInt8], to address: SessionAddress, from side: SessionSide) {
    output.sends.append(SessionSend(octets: octets, address: address, side: side))
  }

  mutating func send(_ message: SessionMessage, to address: SessionAddress, from side: SessionSide)
  {
    send(message.encoded, to: address, from: side)
  }

  mutating func tell(_ fact: SessionFact) { output.facts.append(fact) }

  mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func isTaken(_ invitation: Int) -> Bool { peers.contains { $0.invitation == invitation } }

  func place(of number: Int) -> Int? { peers.firstIndex { $0.number == number } }

  /// Takes a partner away: what they have begun is ended, and their invitation begins again later.
  mutating func remove(
    _ number: Int, at now: HostTime, retryAfter pause: Int64 = slowTryPeriod,
    telling fact: (SessionPartner) -> SessionFact?
  ) {
    guard let place = place(of: number) else { return }
    var peer = peers.remove(at: place)
    // A song may end with the farewell: what has left for its time, and waits for the delay of all,
    // is part of it.
    let soon = now.advanced(saturating: Self.lead).advanced(saturating: delay)
    for arrival in arrivals where arrival.partner == number && arrival.time <= soon {
      if case .message(let message) = arrival.content { peer.incoming.note(message) }
      output.events.append(
        SessionEvent(time: now, partner: number, content: arrival.content))
    }
    arrivals.removeAll { $0.partner == number }
    for message in peer.incoming.releases() {
      output.events.append(SessionEvent(time: now, partner: number, content: .message(message)))
    }
    if let fact = fact(peer.partner) { tell(fact) }
    for index in invitations.indices where invitations[index].number == peer.invitation {
      invitations[index].next = now.advanced(saturating: pause)
    }
  }

  mutating func sayFarewell(to peer: SessionPeer) {
    let party = SessionParty(token: peer.token, source: source)
    send(.farewell(party), to: peer.control, from: .control)
  }

  /// Hands on what is due; what one partner sent stays in its order.
  private mutating func deliver(at now: HostTime) {
    let end = arrivals.firstIndex { $0.time > now } ?? arrivals.count
    for arrival in arrivals[..<end] {
      if case .message(let message) = arrival.content, let place = place(of: arrival.partner) {
        peers[place].incoming.note(message)
      }
      output.events.append(
        SessionEvent(time: arrival.time, partner: arrival.partner, content: arrival.content))
    }
    arrivals.removeFirst(end)
  }

  /// Adds what one packet came to, in the order of its times, behind what is due at the same time.
  ///
  /// - Complexity: O(n) in what waits for later times, once for the whole packet.
  mutating func add(_ packet: [IncomingStream.Arrival]) {
    guard let first = packet.first else { return }
    let start = arrivals.endOfTimes(through: first.time)
    guard start < arrivals.count else { return arrivals.append(contentsOf: packet) }
    var merged: [IncomingStream.Arrival] = []
    merged.reserveCapacity(arrivals.count - start + packet.count)
    var next = start
    for arrival in packet {
      while next < arrivals.count, arrivals[next].time <= arrival.time {
        merged.append(arrivals[next])
        next += 1
      }
      merged.append(arrival)
    }
    merged.append(contentsOf: arrivals[next...])
    arrivals.replaceSubrange(start..., with: merged)
  }
}

extension [IncomingStream.Arrival] {
  /// The place behind the last that is due at a time or before it.
  ///
  /// - Complexity: O(log n).
  fileprivate func endOfTimes(through time: HostTime) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
