// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
package import MusicalTime

/// An endpoint of MIDI sessions as a value: it takes datagrams, events and times, and returns
/// datagrams and events.
///
/// Other machines invite it, and it invites other machines. Everything that it sends goes to all
/// joined peers, with a separate stream for each. It does not wait or read a clock: call `due` at
/// `nextDue`, and immediately process the result of `takeOutput`.
///
/// Source: Apple, MIDI Network Driver Protocol; RFC 6295.
package struct SessionNode: Sendable {
  /// The most peers, including peers that are invited or joining.
  package static let capacity = 32
  /// The most guests from one address, so that a single machine cannot use all places.
  package static let guestsPerHost = 8
  static let expectedCapacity = 16
  /// The time after which a silent peer is removed, in nanoseconds: 60 s.
  package static let silence: Int64 = 60_000_000_000
  /// The time that an accepted peer has for joining, in nanoseconds: 15 s.
  static let expectation: Int64 = 15_000_000_000
  /// The number of invitations, one second apart, before a missing answer is reported.
  static let tries = 12
  static let tryPeriod: Int64 = 1_000_000_000
  /// The period of invitations after that, and after the peer has left.
  static let slowTryPeriod: Int64 = 2_500_000_000
  /// The pause after a refusal.
  static let refusalPeriod: Int64 = 10_000_000_000
  /// The time after the last message in which a peer is certainly present and cannot be replaced.
  static let presence: Int64 = 2_000_000_000
  /// The most answers per second to unknown machines.
  static let answersPerSecond = 50
  /// The time by which a packet is sent before it is due, in nanoseconds: 5 ms.
  ///
  /// It allows for the network's delay.
  package static let lead: Int64 = 5_000_000
  /// The longest time from the first to the last event of a packet, in nanoseconds.
  static let span: Int64 = 1_000_000
  /// The most bytes of commands in a packet, so that there is room for a journal.
  static let listRoom = 700
  /// The longest SysEx that is sent at once, in bytes.
  package static let longestSysExAtOnce = SessionQueue.longestAtOnce
  /// The most bytes of waiting long SysEx messages, unless a single message is longer.
  package static let longSysExRoom = SessionQueue.longRoom
  /// The most received events that wait for their times.
  static let arrivalCapacity = 16_384

  /// The name of the session.
  package let name: String
  /// The identifier in the node's packets.
  package let source: UInt32
  /// The rules for guests.
  package let rules: SessionRules
  /// True if other machines can join uninvited.
  package var isOpen = true
  /// The delay after an event's time stamp until it is played, in nanoseconds.
  package let delay: Int64
  /// The speed of a long SysEx in bytes per second; nil for as fast as the session's window allows.
  let sysExSpeed: Int?

  // An arbitrary origin, so that other machines do not learn the uptime of this one.
  private let origin: HostTime
  var random: SessionRandom
  var peers: [SessionPeer] = []
  var invitations: [Invitation] = []
  var queue = SessionQueue()
  /// The notes begun in packets that have been sent.
  var ledger = NoteLedger()
  /// The latest time of an event that has been sent.
  package internal(set) var lastTime = HostTime.zero
  var arrivals: [IncomingStream.Arrival] = []
  var output = SessionOutput()
  var answers = (second: Int64.min, count: 0)
  var turnedAway: [SessionAddress.Host] = []
  private var lastNumber = 0

  /// A peer that should join the session.
  struct Invitation: Sendable {
    let number: Int
    let name: String
    var address: SessionAddress
    var next: HostTime
    /// True to only check that the peer answers, without joining its session.
    var isQuestion: Bool
    var isUnanswered = false
    var isRefused = false
  }

  /// Creates a node without peers.
  ///
  /// - Parameters:
  ///   - name: The name that other machines see, shortened to 63 bytes.
  ///   - rules: The rules for guests.
  ///   - delay: The delay after an event's time stamp until it is played, in nanoseconds; 5 ms by
  ///     default. Later events are played at once.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second, at least 1; nil for as fast as
  ///     the session's window allows.
  ///   - seed: The seed for random numbers; use a different one for every node.
  ///   - now: The current time.
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

  /// A name of at most 63 bytes, the limit of service names.
  static func cut(_ name: String) -> String {
    var name = name
    while name.utf8.count > 63 { name.removeLast() }
    return name
  }

  /// The states of all peers that have joined, are joining or are invited.
  package var standings: [SessionStanding] { peers.map(\.standing) }

  /// The number of events that wait to be sent.
  package var waitingCount: Int { queue.count }

  /// The number of bytes of long SysEx messages that have been sent, and their total, including F0
  /// and F7.
  ///
  /// Both are 0 without a long message.
  package var sysExProgress: (sent: Int, total: Int) { queue.sysExProgress }

  /// The time on the node's clock, in units of 100 µs.
  func units(at time: HostTime, roundedUp: Bool = false) -> UInt64 {
    let passed = time.nanoseconds &- origin.nanoseconds &+ (roundedUp ? ClockTracker.unit - 1 : 0)
    return UInt64(bitPattern: passed / ClockTracker.unit)
  }

  /// Invites a peer repeatedly until it joins, and again whenever it has left.
  ///
  /// - Parameters:
  ///   - address: The address of its control port.
  ///   - name: The name until the peer sends one.
  ///   - isQuestion: True to only ask for an answer. A peer that answers is reported as joined, and
  ///     its session is ended before it joins.
  ///   - now: The current time.
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

  /// Changes the address of an invitation.
  ///
  /// The peer is invited there unless it has joined.
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

  /// Leaves all peers, and ends everything that they have begun.
  package mutating func leave(at now: HostTime) {
    invitations = []
    for peer in peers {
      sayFarewell(to: peer)
      remove(peer.number, at: now) { _ in nil }
    }
  }

  /// Returns the results since the last call.
  package mutating func takeOutput() -> SessionOutput {
    defer { output = SessionOutput() }
    return output
  }

  /// The time of the next call of `due`.
  ///
  /// Calling it earlier is harmless.
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

  /// Does everything that is due.
  ///
  /// - Complexity: O(n) in the number of peers and of due actions.
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

  /// Removes a peer, ends everything that it has begun, and repeats its invitation later.
  mutating func remove(
    _ number: Int, at now: HostTime, retryAfter pause: Int64 = slowTryPeriod,
    telling fact: (SessionPartner) -> SessionFact?
  ) {
    guard let place = place(of: number) else { return }
    var peer = peers.remove(at: place)
    // A song can end with the farewell: events that were sent ahead of time and wait for the delay
    // belong to it.
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

  /// Passes on due events.
  ///
  /// The events of one peer keep their order.
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

  /// Adds the events of one packet in order of time, after existing events of the same time.
  ///
  /// - Complexity: O(n) in the number of later events, once for the whole packet.
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
  /// The index after the last event at or before a time.
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
