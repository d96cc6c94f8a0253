// SPDX-License-Identifier: Apache-2.0
package import MIDIPorts
internal import NetworkSockets
package import RTPMIDI
internal import Realtime
internal import Synchronization

/// The sessions of others on the network, `rtp:studio`, and ports of ours that they find.
///
/// Nothing is opened before something is asked: then there is a thread for all sessions, and one that
/// looks for others by Avahi. Without Avahi `rtp:HOST:PORT` reaches them. A port of ours that is told
/// to connect invites; one that is not waits for others to invite it.
///
/// - Note: any thread may use it. Not real-time safe.
package final class RTPPorts: PortProvider {
  /// How long one is looked for who is named, and waited for who is invited, in nanoseconds.
  private static let patience: Int64 = 3_000_000_000
  /// The port for control where an address is named without one.
  private static let usualPort: UInt16 = 5_004

  /// How sessions are set up.
  package struct Settings: Sendable {
    /// What others see of sessions of ours; nil for the name of each port.
    package var name: String?
    /// Who may come.
    package var rules = SessionRules()
    /// How much later than its stamp says an event is played, in nanoseconds.
    package var delay: Int64 = 5_000_000

    /// The usual ones.
    package init(name: String? = nil) { self.name = name }
  }

  private let settings: Settings
  private let tell: @Sendable (_ session: String, SessionFact) -> Void
  private let state = Mutex(RTPPortsState())

  /// Creates a provider; opens nothing.
  ///
  /// - Parameters:
  ///   - settings: How sessions are set up.
  ///   - tell: Is told what happens in a session of ours, on its thread.
  package init(
    _ settings: Settings = Settings(),
    telling tell: @escaping @Sendable (_ session: String, SessionFact) -> Void = { _, _ in }
  ) {
    (self.settings, self.tell) = (settings, tell)
  }

  deinit { end() }

  /// The network's.
  package var kind: PortKind { .rtp }

  /// Those that were found or named, and have not gone; none before anybody is looked for.
  package func peers() -> EndpointList { state.withLock { $0.list() } }

  /// Whoever answers at `HOST:PORT`, at an address's usual port, or is found by a name: within three
  /// seconds.
  ///
  /// - Throws: `NetworkError` where a host's name leads nowhere; `RTPPortError.refused` where they
  ///   do not let us in; `RealtimeError` where no thread can be had.
  package func unlistedEndpoint(
    _ text: String, _ direction: Endpoint.Direction
  ) throws -> Endpoint? {
    if let address = try Self.address(text) {
      guard try isReached(text, address) else { return nil }
      return state.withLock { $0.endpoint(text, direction) }
    }
    let directory = try lookAround()
    return try Self.attempted { () throws(EndpointError) -> Endpoint? in
      do throws(EndpointError) {
        return try peers().find(text, direction)
      } catch .unknown {
        return nil
      }
    } until: {
      directory.isSettled
    }
  }

  /// The sessions that Avahi finds, of this machine's network, within three seconds.
  ///
  /// - Returns: The sessions, by name; nil where there is no Avahi.
  /// - Throws: `RealtimeError` where no thread can be had.
  package func services() throws -> [ServiceDirectory.Service]? {
    let directory = try lookAround()
    _ = Self.attempted {
      directory.isSettled ? true : nil
    } until: {
      false
    }
    return directory.isThere ? directory.services : nil
  }

  /// The first answer that is one, asked again and again for three seconds, or until nobody will
  /// come any more.
  private static func attempted<Answer, Failure: Error>(
    _ ask: () throws(Failure) -> Answer?, until isOver: () -> Bool
  ) throws(Failure) -> Answer? {
    let end = DeadlineWait.now + patience
    while true {
      let isLast = isOver() || DeadlineWait.now >= end
      if let answer = try ask() { return answer }
      if isLast { return nil }
      DeadlineWait.sleep(until: DeadlineWait.now + 2_000_000)
    }
  }

  /// The address that a text is, if it is one.
  private static func address(_ text: String) throws(NetworkError) -> SocketAddress? {
    if let address = IPAddress(text) { return SocketAddress(address, port: usualPort) }
    do throws(NetworkError) {
      guard try HostName.split(text).port > 0 else { return nil }
    } catch {
      return nil
    }
    let addresses = try HostName.resolve(text)
    return addresses.first { !$0.address.isV6 } ?? addresses.first
  }

  /// Whether somebody answers at an address; they are asked until a port of ours invites them.
  private func isReached(_ text: String, _ address: SocketAddress) throws -> Bool {
    let isNew = state.withLock { state in
      state.named[text] = address
      guard !state.joined.contains(text) else { return false }
      state.absent.insert(text)
      return state.scouts[text] == nil
    }
    if isNew {
      let scout = try open(settings.name ?? "downbeat")
      state.withLock { state in
        state.scouts[text] = scout
        state.invitations.append(.init(session: scout, name: text, address: address))
      }
      scout.ask(address, name: text)
    }
    return try hasJoined(text)
  }

  /// Waits until somebody is in a session of ours; false where nobody answers.
  private func hasJoined(_ name: String) throws(RTPPortError) -> Bool {
    try Self.attempted { () throws(RTPPortError) -> Bool? in
      let (isJoined, isRefused) = state.withLock {
        ($0.joined.contains(name), $0.refused.contains(name))
      }
      if isRefused { throw .refused(name: "rtp:\(name)") }
      return isJoined ? true : nil
    } until: {
      false
    } ?? false
  }

  /// Tells of those that come and go; they are looked for from here on.
  package func makeMonitor() throws -> any EndpointMonitor {
    _ = try lookAround()
    return try RTPMonitor(self)
  }

  /// Opens a session that sends.
  package func makeOutput(named name: String, sysExSpeed: Int?) throws -> any OutputPort {
    try RTPOutputPort(open(settings.name ?? name, sysExSpeed: sysExSpeed), of: self)
  }

  /// Opens a session that receives.
  package func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    try RTPInputPort(open(settings.name ?? name), of: self)
  }

  /// Takes leave of everybody; the last thing that is done with it.
  package func end() {
    let (sessions, directory) = state.withLock { state in
      defer {
        (state.sessions, state.scouts, state.invitations) = ([], [:], [])
        state.directory = nil
      }
      return (state.sessions, state.directory)
    }
    for session in sessions { session.leave() }
    for session in sessions { session.end() }
    directory?.end()
  }
}

extension RTPPorts {
  /// Invites somebody to a session of ours, and waits until they are in it.
  ///
  /// - Throws: `RTPPortError`; `EndpointError.vanished` where they were there and are no longer.
  func connect(_ session: RTPSession, to endpoint: Endpoint) throws {
    let name = endpoint.name
    let (address, isNew) = state.withLock { state in
      let address = state.address(of: name)
      let isNew = !state.invitations.contains { $0.session === session && $0.name == name }
      if let address, isNew {
        state.invitations.append(.init(session: session, name: name, address: address))
      }
      return (address, isNew)
    }
    guard let address else { throw EndpointError.vanished(name: "\(endpoint)") }
    session.invite(address, name: name)
    let isJoined = Self.attempted {
      session.standings.contains {
        $0.isJoined && $0.partner.address.socketAddress == address
      } ? true : nil
    } until: {
      !isNew || state.withLock { $0.refused.contains(name) }
    }
    if let scout = state.withLock({ $0.scouts.removeValue(forKey: name) }) { close(scout) }
    guard isJoined == nil else { return }
    guard isNew else { throw EndpointError.vanished(name: "\(endpoint)") }
    let isRefused = state.withLock { $0.refused.contains(name) }
    let text = "\(endpoint)"
    throw isRefused ? RTPPortError.refused(name: text) : .unanswered(name: text)
  }

  /// What a person calls the sender of an event.
  func senderName(_ track: UInt16) -> String { state.withLock { $0.senders[track] } ?? "rtp" }

  /// Wakes somebody where others come or go.
  func watch(by news: DeadlineWait) { state.withLock { $0.monitors.append(news) } }

  /// Wakes somebody no longer.
  func unwatch(by news: DeadlineWait) {
    state.withLock { $0.monitors.removeAll { $0 === news } }
  }

  /// Ends a session of ours; it is found no longer.
  func close(_ session: RTPSession) {
    let directory = state.withLock { state in
      state.forget(session)
      return state.directory
    }
    directory?.withdraw(port: session.port)
    session.end()
  }

  private func lookAround() throws -> ServiceDirectory {
    try state.withLock { state in
      if let directory = state.directory { return directory }
      let directory = try ServiceDirectory { [weak self] in self?.hearOfDirectory() }
      state.directory = directory
      return directory
    }
  }

  private func open(_ name: String, sysExSpeed: Int? = nil) throws -> RTPSession {
    let host = try state.withLock { state in
      let host = try state.host ?? SessionHost()
      state.host = host
      return host
    }
    var settings = RTPSession.Settings(name: name)
    (settings.rules, settings.delay) = (self.settings.rules, self.settings.delay)
    settings.sysExSpeed = sysExSpeed
    let session = try RTPSession(
      settings, on: host,
      track: { [weak self] partner in
        self?.state.withLock { $0.track(of: partner) } ?? 0
      },
      observing: { [weak self] news in self?.hear(news, of: name) })
    state.withLock { $0.sessions.append(session) }
    return session
  }

  /// Whoever has moved is invited where they are now.
  private func hearOfDirectory() {
    let moved = state.withLock { state in
      state.invitations.indices.compactMap { index -> RTPPortsState.Invitation? in
        guard let address = state.address(of: state.invitations[index].name),
          address != state.invitations[index].address
        else { return nil }
        state.invitations[index].address = address
        return state.invitations[index]
      }
    }
    for invitation in moved { invitation.session.invite(invitation.address, name: invitation.name) }
    announceChange()
  }

  private func announceChange() {
    for news in state.withLock({ $0.monitors }) { news.wake() }
  }

  /// Notes who comes and goes, and tells of it.
  private func hear(_ news: RTPSession.News, of name: String) {
    switch news {
    case .opened(let port):
      do {
        try lookAround().announce(name: name, port: port)
      } catch {
        // No thread is left: others reach it by its port.
      }
    case .fact(let fact):
      state.withLock { $0.note(fact) }
      tell(name, fact)
      announceChange()
    }
  }
}
