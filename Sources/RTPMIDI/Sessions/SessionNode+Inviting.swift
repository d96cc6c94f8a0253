// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension SessionNode {
  /// Begins the invitations that are due.
  mutating func beginInvitations(at now: HostTime) {
    for index in invitations.indices
    where invitations[index].next <= now && !isTaken(invitations[index].number) {
      let invitation = invitations[index]
      // A peer that joined uninvited is not invited as well.
      guard !peers.contains(where: { $0.isJoined && $0.control == invitation.address }) else {
        invitations[index].next = now.advanced(saturating: Self.slowTryPeriod)
        continue
      }
      peers.append(
        SessionPeer(
          number: newNumber(), invitation: invitation.number, stage: .inviting(.control),
          token: random.number(), name: invitation.name, control: invitation.address,
          music: invitation.address.port(of: .music),
          sequence: UInt16.random(in: 0 ... .max, using: &random), at: now))
    }
  }

  /// Invites again.
  ///
  /// After many attempts without an answer this is reported, and attempts become less frequent.
  mutating func inviteAgain(_ place: Int, _ side: SessionSide, at now: HostTime) {
    guard peers[place].nextTry <= now else { return }
    if side == .music, peers[place].tries == Self.tries {
      // Only one of the ports answers: start from the beginning.
      let (number, pause) = (peers[place].number, Self.slowTryPeriod)
      tellUnanswered(peers[place])
      return remove(number, at: now, retryAfter: pause) { _ in nil }
    }
    if peers[place].tries == Self.tries { tellUnanswered(peers[place]) }
    peers[place].tries += 1
    let isSlow = peers[place].tries >= Self.tries
    peers[place].nextTry = now.advanced(
      saturating: isSlow ? Self.slowTryPeriod : Self.tryPeriod)
    let party = SessionParty(token: peers[place].token, source: source, name: name)
    let address = side == .control ? peers[place].control : peers[place].music
    send(.invitation(party), to: address, from: side)
  }

  private mutating func tellUnanswered(_ peer: SessionPeer) {
    for index in invitations.indices
    where invitations[index].number == peer.invitation && !invitations[index].isUnanswered {
      invitations[index].isUnanswered = true
      tell(.unanswered(peer.partner))
    }
  }

  /// Processes an accepted invitation.
  mutating func accept(
    _ party: SessionParty, from address: SessionAddress, on side: SessionSide, at now: HostTime
  ) {
    let found = peers.firstIndex {
      $0.token == party.token && $0.stage == .inviting(side)
        && address == (side == .control ? $0.control : $0.music)
    }
    guard let place = found, party.source != source, party.source != 0 else { return }
    if !party.name.isEmpty { peers[place].name = Self.cut(party.name) }
    peers[place].heard = now
    // Some peers have a different identifier for each port; packets use that of the second.
    peers[place].source = party.source
    switch side {
    case .control where isQuestion(peers[place]):
      let peer = peers[place]
      noteAnswer(of: peer)
      sayFarewell(to: peer)
      return remove(peer.number, at: now) { .joined($0) }
    case .control:
      (peers[place].stage, peers[place].tries, peers[place].nextTry) = (.inviting(.music), 0, now)
    case .music:
      peers[place].join(at: now)
      noteAnswer(of: peers[place])
      tell(.joined(peers[place].partner))
    }
    attend(to: peers[place].number, at: now)
  }

  private func isQuestion(_ peer: SessionPeer) -> Bool {
    invitations.contains { $0.number == peer.invitation && $0.isQuestion }
  }

  private mutating func noteAnswer(of peer: SessionPeer) {
    for index in invitations.indices where invitations[index].number == peer.invitation {
      (invitations[index].isUnanswered, invitations[index].isRefused) = (false, false)
    }
  }

  /// Processes a refused invitation.
  mutating func refuse(_ party: SessionParty, from address: SessionAddress, at now: HostTime) {
    let found = peers.first {
      $0.token == party.token && !$0.isJoined && $0.isInitiator
        && (address == $0.control || address == $0.music)
    }
    guard let peer = found else { return }
    var isTold = false
    for index in invitations.indices where invitations[index].number == peer.invitation {
      isTold = invitations[index].isRefused
      invitations[index].isRefused = true
    }
    remove(peer.number, at: now, retryAfter: Self.refusalPeriod) {
      isTold ? nil : .refused($0)
    }
  }

  /// Answers an invitation.
  mutating func answer(
    _ party: SessionParty, from address: SessionAddress, on side: SessionSide, at now: HostTime
  ) {
    guard party.source != source, party.source != 0, mayAnswer(at: now) else { return }
    let stranger = SessionPartner(
      number: 0, name: Self.cut(party.name), address: address, isInvited: false)
    guard isOpen, rules.allow(address.host, name: party.name) else {
      return turnAway(party, stranger, on: side)
    }
    if let place = peers.firstIndex(where: {
      $0.source == party.source && $0.token == party.token && !$0.isInitiator
        && $0.control.host == address.host
    }) {
      return take(place, from: address, on: side, at: now)
    }
    guard makesRoom(for: party, from: address, at: now) else { return }
    let neighbours = peers.count { !$0.isInitiator && $0.control.host == address.host }
    guard peers.count < Self.capacity, neighbours < Self.guestsPerHost else {
      let no = SessionParty(token: party.token, source: source)
      send(.refused(no), to: address, from: side)
      return tell(.full(stranger))
    }
    let other = address.port(of: side == .control ? .music : .control)
    peers.append(
      SessionPeer(
        number: newNumber(), stage: .expected, token: party.token, source: party.source,
        name: Self.cut(party.name), control: side == .control ? address : other,
        music: side == .music ? address : other,
        sequence: UInt16.random(in: 0 ... .max, using: &random), at: now))
    take(peers.count - 1, from: address, on: side, at: now)
  }

  /// Accepts a known peer on one of the two ports.
  private mutating func take(
    _ place: Int, from address: SessionAddress, on side: SessionSide, at now: HostTime
  ) {
    switch side {
    case .control: peers[place].control = address
    case .music: peers[place].music = address
    }
    peers[place].heard = now
    let party = SessionParty(token: peers[place].token, source: source, name: name)
    send(.accepted(party), to: address, from: side)
    guard side == .music, !peers[place].isJoined else { return }
    peers[place].join(at: now)
    tell(.joined(peers[place].partner))
  }

  /// Refuses a peer, and reports it once for each address.
  ///
  /// Machines outside private networks do not get an answer.
  private mutating func turnAway(
    _ party: SessionParty, _ stranger: SessionPartner, on side: SessionSide
  ) {
    if (SessionRules.Network.private + rules.networks).contains(where: {
      $0.contains(stranger.address.host)
    }) {
      let no = SessionParty(token: party.token, source: source)
      send(.refused(no), to: stranger.address, from: side)
    }
    // A session that invites does not accept guests, and does not report them.
    guard isOpen, !turnedAway.contains(stranger.address.host) else { return }
    turnedAway.append(stranger.address.host)
    if turnedAway.count > 64 { turnedAway.removeFirst() }
    tell(.turnedAway(stranger))
  }

  /// Returns true if a peer can join that replaces, or has the address of, a known peer.
  ///
  /// The old peer is removed unless it is certainly present. If two peers invite each other, the
  /// one with the smaller identifier joins the other.
  private mutating func makesRoom(
    for party: SessionParty, from address: SessionAddress, at now: HostTime
  ) -> Bool {
    let known = peers.filter {
      $0.source == party.source && $0.control.host == address.host || $0.control == address
        || $0.music == address
    }
    for peer in known {
      if case .inviting = peer.stage {
        guard source > party.source else { return false }
        remove(peer.number, at: now) { _ in nil }
      } else if peer.isJoined {
        guard peer.heard.advanced(saturating: Self.presence) <= now else { return false }
        remove(peer.number, at: now) { .replaced($0) }
      } else {
        remove(peer.number, at: now) { _ in nil }
      }
    }
    let expected = peers.filter { $0.stage == .expected }
    if expected.count >= Self.expectedCapacity, let oldest = expected.first {
      remove(oldest.number, at: now) { _ in nil }
    }
    return true
  }

  private mutating func mayAnswer(at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if answers.second != second { answers = (second, 0) }
    answers.count += 1
    return answers.count <= Self.answersPerSecond
  }
}
