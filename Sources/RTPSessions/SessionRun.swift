// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import NetworkSockets
internal import RTPMIDI

/// One session on the thread: its node, its sockets, and the memory that it shares with other
/// threads.
final class SessionRun {
  /// The time until a session that does not invite is announced, in nanoseconds.
  private static let announcePause: Int64 = 100_000_000

  /// The period of publishing the states of peers, in nanoseconds.
  private static let publicationPause: Int64 = 250_000_000

  let session: RTPSession
  private var node: SessionNode
  private var sockets: SessionSockets
  private var letters: [SessionOutbox.Letter] = []
  /// Letters for which the node does not have room yet.
  private var backlog: [SessionOutbox.Letter] = []
  private var buffer = [UInt8](repeating: 0, count: 2_048)
  private var announceAt: HostTime
  private var nextPublication = HostTime.zero
  /// The number of each invitation, by name.
  private var invitations: [String: Int] = [:]
  /// The `track` for the events of each peer.
  private var tracks: [Int: UInt16] = [:]
  private(set) var hasEnded = false

  init(_ session: RTPSession, _ node: SessionNode, _ sockets: SessionSockets, at now: HostTime) {
    (self.session, self.node, self.sockets) = (session, node, sockets)
    announceAt = now.advanced(saturating: Self.announcePause)
  }

  var descriptors: [Int32] { sockets.descriptors }

  var nextDue: HostTime { min(node.nextDue, announceAt) }

  /// Processes letters, datagrams and due actions.
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

  /// Appends a letter to the backlog, and removes letters that it cancels so that they do not block
  /// it.
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

  /// Executes a letter; false if it must wait.
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

  /// A session that invites does not accept guests: it is not announced, and uses any port.
  private func invite(
    _ address: SessionAddress, _ name: String, _ isQuestion: Bool, at now: HostTime
  ) {
    if node.isOpen, !session.hasOwnPort, announceAt < HostTime(nanoseconds: .max) {
      do throws(NetworkError) {
        sockets = try SessionSockets.any()
      } catch {
        // Keep the present ports.
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
