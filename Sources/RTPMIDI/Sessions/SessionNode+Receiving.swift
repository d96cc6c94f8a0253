// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension SessionNode {
  /// Processes a received datagram.
  ///
  /// Datagrams that do not belong to the session are ignored.
  ///
  /// - Parameters:
  ///   - octets: The datagram.
  ///   - address: The address of the sender.
  ///   - side: The local port at which it arrived.
  ///   - now: The time of arrival.
  package mutating func receive(
    _ octets: [UInt8], from address: SessionAddress, on side: SessionSide, at now: HostTime
  ) {
    do throws(PacketError) {
      if SessionMessage.begins(octets) {
        take(try SessionMessage(parsing: octets), from: address, on: side, at: now)
      } else if side == .music, let place = partner(of: octets, from: address, at: now) {
        take(try DataPacket(parsing: octets), of: place, size: octets.count, at: now)
      }
    } catch {
      // Damaged datagrams are ignored and not answered.
      return
    }
  }

  /// The index of the peer that sent a packet; nil if the sender has not joined or has sent too
  /// much.
  private mutating func partner(
    of octets: [UInt8], from address: SessionAddress, at now: HostTime
  ) -> Int? {
    guard octets.count > 12 else { return nil }
    let source = octets[8..<12].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let found = peers.firstIndex {
      $0.isJoined && $0.source == source && $0.music == address
    }
    guard let place = found else { return nil }
    guard peers[place].takes(octets.count, at: now), arrivals.count < Self.arrivalCapacity else {
      if !peers[place].isFlooding { tell(.flooded(peers[place].partner)) }
      peers[place].isFlooding = true
      return nil
    }
    return place
  }

  private mutating func take(
    _ packet: DataPacket, of place: Int, size: Int, at now: HostTime
  ) {
    hear(place, at: now)
    let due = peers[place].clock.map {
      $0.hostTime(of: packet.time, near: now).advanced(saturating: delay)
    }
    let taken = peers[place].incoming.take(
      packet, due: due, at: now, partner: peers[place].number)
    // A journal can cause more messages than its length: they are counted as received bytes too.
    peers[place].charge(SessionPeer.octetsPerMessage * taken.count - size)
    add(taken)
  }

  private mutating func hear(_ place: Int, at now: HostTime) {
    let pause = now.nanoseconds(since: peers[place].heard)
    peers[place].heard = now
    // The peer may have missed what was sent during the pause.
    if pause > 2 * SessionPeer.askAgain { peers[place].outgoing.remind(at: now) }
  }

  private mutating func take(
    _ message: SessionMessage, from address: SessionAddress, on side: SessionSide,
    at now: HostTime
  ) {
    switch message {
    case .invitation(let party): answer(party, from: address, on: side, at: now)
    case .accepted(let party): accept(party, from: address, on: side, at: now)
    case .refused(let party): refuse(party, from: address, at: now)
    case .farewell(let party):
      let found = peers.first {
        $0.isFrom(party.source, address) && $0.token == party.token
      }
      guard let peer = found else { return }
      remove(peer.number, at: now) { peer.isJoined ? .left($0) : nil }
    case .clock(let source, let exchange):
      guard side == .music, let place = joined(source, address) else { return }
      take(exchange, of: place, at: now)
    case .received(let source, let sequence):
      guard let place = joined(source, address) else { return }
      hear(place, at: now)
      peers[place].outgoing.acknowledge(sequence)
    case .bitRate(let source, let bits):
      guard let place = joined(source, address) else { return }
      hear(place, at: now)
      peers[place].bitRate = bits
    }
  }

  private func joined(_ source: UInt32, _ address: SessionAddress) -> Int? {
    peers.firstIndex { $0.isJoined && $0.isFrom(source, address) }
  }

  /// Processes a message for comparing clocks.
  ///
  /// Unexpected answers are ignored.
  private mutating func take(_ exchange: ClockExchange, of place: Int, at now: HostTime) {
    let units = units(at: now)
    switch exchange.step {
    case 0:
      hear(place, at: now)
      peers[place].answered = (exchange.asked, units, now)
      let answer = ClockExchange(step: 1, asked: exchange.asked, answered: units)
      send(.clock(source: source, answer), to: peers[place].music, from: .music)
    case 1:
      guard let asked = peers[place].asked, asked.units == exchange.asked else { return }
      hear(place, at: now)
      peers[place].asked = nil
      let third = ClockExchange(
        step: 2, asked: exchange.asked, answered: exchange.answered, heard: units)
      send(.clock(source: source, third), to: peers[place].music, from: .music)
      let latency = now.nanoseconds(since: asked.at) / 2
      let middle = asked.at.advanced(byNanoseconds: latency)
      set(place, remote: exchange.answered, half: false, at: middle, latency: latency)
      let pause = SessionPeer.askPause(after: peers[place].askCount)
      peers[place].askCount += 1
      peers[place].nextAsk = now.advanced(saturating: pause)
    default:
      guard let answered = peers[place].answered, answered.asked == exchange.asked,
        answered.units == exchange.answered, exchange.heard &- exchange.asked < 1 << 20
      else { return }
      hear(place, at: now)
      peers[place].answered = nil
      let both = exchange.heard &- exchange.asked
      set(
        place, remote: exchange.asked &+ both / 2, half: both % 2 == 1, at: answered.at,
        latency: Int64(both) * ClockTracker.unit / 2)
    }
  }

  private mutating func set(
    _ place: Int, remote: UInt64, half: Bool, at host: HostTime, latency: Int64
  ) {
    if peers[place].clock == nil {
      peers[place].clock = ClockTracker(remote: remote, at: host, latency: latency)
    } else {
      peers[place].clock?.take(remote: remote, half: half, at: host, latency: latency)
    }
  }

  /// Does what is due for a peer.
  mutating func attend(to number: Int, at now: HostTime) {
    guard let place = place(of: number) else { return }
    switch peers[place].stage {
    case .inviting(let side): inviteAgain(place, side, at: now)
    case .expected:
      guard peers[place].heard.advanced(saturating: Self.expectation) <= now else { return }
      remove(number, at: now) { _ in nil }
    case .joined: attend(toJoined: place, at: now)
    }
  }

  private mutating func attend(toJoined place: Int, at now: HostTime) {
    guard peers[place].heard.advanced(saturating: Self.silence) > now else {
      sayFarewell(to: peers[place])
      return remove(peers[place].number, at: now, retryAfter: 0) { .lost($0) }
    }
    if peers[place].nextAsk <= now {
      let asked = ClockExchange(step: 0, asked: units(at: now))
      peers[place].asked = (asked.asked, now)
      peers[place].nextAsk = now.advanced(saturating: SessionPeer.askAgain)
      send(.clock(source: source, asked), to: peers[place].music, from: .music)
    }
    if peers[place].outgoing.nextGuard <= now {
      let packet = peers[place].outgoing.guarding(units: units(at: now), source: source, at: now)
      if let packet { send(packet, to: peers[place].music, from: .music) }
    }
    if let sequence = peers[place].incoming.report(at: now) {
      send(
        .received(source: source, sequence: sequence), to: peers[place].control, from: .control)
    }
  }
}
