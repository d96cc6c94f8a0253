// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import NetworkSockets
internal import RTPMIDI

/// One session as the thread has it: its node, its sockets, and what it shares with others.
final class SessionRun {
  /// How soon a session that invites nobody is announced, in nanoseconds.
  private static let announcePause: Int64 = 100_000_000

  /// How often it is said how everybody stands, in nanoseconds.
  private static let publicationPause: Int64 = 250_000_000

  let session: RTPSession
  private var node: SessionNode
  private var sockets: SessionSockets
  private var letters: [SessionOutbox.Letter] = []
  /// Letters for which the node has no room yet.
  private var backlog: [SessionOutbox.Letter] = []
  private var buffer = [UInt8](repeating: 0, count: 2_048)
  private var announceAt: HostTime
  private var nextPublication = HostTime.zero
  /// The number of each invitation, by whom we invite.
  private var invitations: [String: Int] = [:]
  /// What stands for each partner in events.
  private var tracks: [Int: UInt16] = [:]
  private(set) var hasEnded = false

  init(_ session: RTPSession, _ node: SessionNode, _ sockets: SessionSockets, at now: HostTime) {
    (self.session, self.node, self.sockets) = (session, node, sockets)
    announceAt = now.advanced(saturating: Self.announcePause)
  }

  var descriptors: [Int32] { sockets.descriptors }

  var nextDue: HostTime { min(node.nextDue, announceAt) }

  /// Does what was left, what came, and what is due.
  func step() {
    letters.removeAll(keepingCapacity: true)
    session.outbox.exchange(&letters)
    for letter in letters { leave(letter) }
    perform()
    sockets.drain(into: &buffer) { octets, sender, side, time in
      node.receive(octets, from: sender, on: side, at: HostTime(nanoseconds: time))
    }
    let now = HostTime.now
    node.due(at: now)
    if now >= announceAt { announce() }
    publish()
  }

  /// Puts a letter behind those that wait; what waits and is void by it does not hold it up.
  private func leave(_ letter: SessionOutbox.Letter) {
    switch letter {
    case .cancel, .silence, .end: backlog.removeAll { $0.isVoid(before: letter) }
    case .message, .sysEx, .invite: break
    }
    backlog.append(letter)
  }

  private func perform() {
    let now = HostTime.now
    var done = 0
    for letter in backlog {
      guard perform(letter, at: now) else { break }
      done += 1
    }
    backlog.removeFirst(done)
  }

  /// Does what a letter says; false where it has to wait.
  private func perform(_ letter: SessionOutbox.Letter, at now: HostTime) -> Bool {
    switch letter {
    case .message(let message, let time): return node.send(message, at: time)
    case .sysEx(let octets, let part, let time):
      return node.send(sysEx: octets, part: part, at: time)
    case .cancel(let time): node.cancel(from: time)
    case .silence: node.silence(at: now)
    case .invite(let address, let name, let isQuestion):
      invite(address, name, isQuestion, at: now)
    case .end:
      node.leave(at: now)
      hasEnded = true
    }
    return true
  }

  /// Who invites is nobody's host: it is found by nobody, and at any port.
  private func invite(
    _ address: SessionAddress, _ name: String, _ isQuestion: Bool, at now: HostTime
  ) {
    if node.isOpen, !session.hasOwnPort, announceAt < HostTime(nanoseconds: .max) {
      do throws(NetworkError) {
        sockets = try SessionSockets.any()
      } catch {
        // It keeps the ports that it has.
      }
    }
    announceAt = HostTime(nanoseconds: .max)
    node.isOpen = false
    if let number = invitations[name] { return node.move(number, to: address, at: now) }
    invitations[name] = node.invite(address, name: name, isQuestion: isQuestion, at: now)
  }

  private func announce() {
    announceAt = HostTime(nanoseconds: .max)
    session.observe(.opened(port: sockets.port))
  }

  private func publish() {
    let output = node.takeOutput()
    for send in output.sends { sockets.send(send) }
    for case .joined(let partner) in output.facts {
      tracks[partner.number] = session.track(of: partner)
    }
    session.inbox.take(output.events.map { ($0, tracks[$0.partner] ?? 0) })
    session.outbox.settle(
      held: node.waitingCount + backlog.count,
      SessionOutbox.Departures(
        sysEx: node.sysExProgress, last: node.lastTime, delay: node.takeSysExDelay()))
    let now = HostTime.now
    if !output.facts.isEmpty || now >= nextPublication || hasEnded {
      nextPublication = now.advanced(saturating: Self.publicationPause)
      session.publish(node.standings, port: sockets.port)
    }
    for fact in output.facts { session.observe(.fact(fact)) }
    if hasEnded { session.didEnd() }
  }
}
