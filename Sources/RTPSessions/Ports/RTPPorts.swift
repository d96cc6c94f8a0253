// SPDX-License-Identifier: Apache-2.0
package import MIDIPorts
internal import NetworkSockets
package import RTPMIDI
internal import Realtime
internal import Synchronization

/// The RTP-MIDI sessions on the network (`rtp:studio`), and ports of the program as sessions.
///
/// Nothing is opened before it is needed. Then one thread serves all sessions, and another finds
/// sessions with Avahi. Without Avahi, `rtp:HOST:PORT` names a session. A port that is connected to
/// a session invites it; otherwise the port waits for invitations.
///
/// - Note: Can be used from any thread. Not real-time safe.
package final class RTPPorts: PortProvider {
  /// The longest time for finding a named session, and for joining an invited one, in nanoseconds:
  /// 3 s.
  private static let patience: Int64 = 3_000_000_000
  /// The control port of an address without a port: 5004.
  private static let usualPort: UInt16 = 5_004

  /// The settings of sessions.
  package struct Settings: Sendable {
    /// The name of the sessions for other machines; nil for the name of each port.
    package var name: String?
    /// The rules for guests.
    package var rules = SessionRules()
    /// The delay after an event's time stamp until it is played, in nanoseconds; 5 ms by default.
    package var delay: Int64 = 5_000_000

    /// Creates default settings.
    package init(name: String? = nil) { self.name = name }
  }

  private let settings: Settings
  private let tell: @Sendable (_ session: String, SessionFact) -> Void
  private let state = Mutex(RTPPortsState())

  /// Creates a provider, but does not open anything.
  ///
  /// - Parameters:
  ///   - settings: The settings of the sessions.
  ///   - tell: Receives reports about sessions, on the sessions' thread.
  package init(
    _ settings: Settings = Settings(),
    telling tell: @escaping @Sendable (_ session: String, SessionFact) -> Void = { _, _ in }
  ) {
    (self.settings, self.tell) = (settings, tell)
  }

  deinit { end() }

  /// `PortKind.rtp`.
  package var kind: PortKind { .rtp }

  /// The sessions that were found or named and are present; empty before the first search.
  package func peers() -> EndpointList { state.withLock { $0.list() } }

  /// Finds a session by `HOST:PORT`, by an address, or by a name, within three seconds.
  ///
  /// - Throws: `NetworkError` if a host name cannot be resolved; `RTPPortError.refused` if the
  ///   session refuses; `RealtimeError` if a thread cannot be created.
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

  /// The sessions that Avahi finds on the local network, within three seconds.
  ///
  /// - Returns: The sessions, in order of name; nil if Avahi is not available.
  /// - Throws: `RealtimeError` if a thread cannot be created.
  package func services() throws -> [ServiceDirectory.Service]? {
    let directory = try lookAround()
    _ = Self.attempted {
      directory.isSettled ? true : nil
    } until: {
      false
    }
    return directory.isThere ? directory.services : nil
  }

  /// Calls a function repeatedly until it returns a value, for three seconds or until a condition
  /// is true.
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

  /// The address in a text, if it is one.
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

  /// Returns true if a machine answers at an address.
  ///
  /// It is asked until a port of the program invites it.
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

  /// Waits until a peer has joined; false if it does not answer.
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

  /// Creates a monitor, and begins to search for sessions.
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

  /// Leaves and ends all sessions.
  ///
  /// Do not use the provider afterwards.
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
  /// Invites a peer to a session of the program, and waits until it has joined.
  ///
  /// - Throws: `RTPPortError`; `EndpointError.vanished` if the peer is not present any more.
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

  /// The name of the sender of events with a `track`.
  func senderName(_ track: UInt16) -> String { state.withLock { $0.senders[track] } ?? "rtp" }

  /// Wakes a monitor after changes.
  func watch(by news: DeadlineWait) { state.withLock { $0.monitors.append(news) } }

  /// Stops waking a monitor.
  func unwatch(by news: DeadlineWait) {
    state.withLock { $0.monitors.removeAll { $0 === news } }
  }

  /// Ends a session of the program, and withdraws its announcement.
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

  /// Invites peers that have moved at their new addresses.
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

  /// Processes a report of a session, and passes it on.
  private func hear(_ news: RTPSession.News, of name: String) {
    switch news {
    case .opened(let port):
      do {
        try lookAround().announce(name: name, port: port)
      } catch {
        // A thread is not available: other machines can still reach the session by its port.
      }
    case .fact(let fact):
      state.withLock { $0.note(fact) }
      tell(name, fact)
      announceChange()
    }
  }
}
