// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets

/// A server for one page and its web sockets; no call of it waits.
///
/// - Note: one thread at a time.
package final class WebServer {
  /// How many may be connected at once.
  package static let mostClients = 256
  /// How many are let in at a time.
  private static let mostAtOnce = 64
  /// How often it may be woken in 20 ms: so that each client has its share.
  private static let mostWakes = 128
  /// How long nobody is let in where the system has no room for one, in nanoseconds.
  private static let rest: Int64 = 1_000_000_000
  /// How long a connection is read after its last answer, in nanoseconds: 1 s.
  private static let lingering: Int64 = 1_000_000_000
  /// The most connections read after their last answers; the oldest is closed first.
  private static let mostLeaving = 64
  /// What is read of one client at a time.
  private static let chunk = 16_384

  /// Somebody who is connected.
  private final class Client {
    let number: Int
    let connection: TCPConnection
    var session: WebSession
    var isGone = false

    init(_ number: Int, _ connection: consuming TCPConnection, _ session: WebSession) {
      (self.number, self.session) = (number, session)
      self.connection = connection
    }
  }

  private final class Door {
    let listener: TCPListener

    init(_ address: SocketAddress) throws(NetworkError) {
      listener = try TCPListener(bind: address)
    }
  }

  /// What a client says.
  package struct Message: Sendable {
    /// Who says it, for an answer.
    package let client: Int
    /// What it says.
    package let text: String
  }

  private let site: WebSite
  private var doors: [Door] = []
  private var clients: [Client] = []
  /// Clients that were sent their last answer, and until when each is read: a connection that is
  /// closed with unread bytes is reset, and the answer is lost.
  private var leavers: [(client: Client, limit: Int64)] = []
  private var now: Int64 = 0
  private var count = 0
  private var wakes = WakeLimit(most: WebServer.mostWakes)
  /// Until when nobody is let in; nil where anybody is.
  private var closedUntil: Int64?
  private var buffer = [UInt8](repeating: 0, count: WebServer.chunk)

  /// Creates a server that nobody can reach yet.
  package init(_ site: WebSite) {
    self.site = site
  }

  /// Lets others in at an address.
  ///
  /// - Parameter address: An address of this machine; port 0 lets the system choose.
  /// - Returns: The address, with the port that the system chose.
  /// - Throws: `NetworkError` where the address is taken, or none of this machine.
  @discardableResult
  package func listen(at address: SocketAddress) throws(NetworkError) -> SocketAddress {
    let door = try Door(address)
    let own = try door.listener.localAddress()
    doors.append(door)
    return own
  }

  /// What becomes readable when somebody has something to say; nothing for a moment where too many
  /// have.
  package var descriptors: [Int32] {
    guard wakes.isOpen else { return [] }
    return openDoors.map { $0.listener.descriptor }
      + leavers.map { $0.client.connection.descriptor }
      + clients.lazy.filter { $0.session.takesInput }.map { $0.connection.descriptor }
  }

  private var openDoors: [Door] { closedUntil == nil ? doors : [] }

  /// The numbers of those who have a web socket open.
  package var sockets: Set<Int> {
    Set(clients.lazy.filter { $0.session.isSocket }.map(\.number))
  }

  /// Takes what came, and lets go of who is slow or gone.
  ///
  /// - Parameter now: The time in nanoseconds, of any clock that only goes on.
  /// - Returns: What is said by whom, and whose sockets are new.
  package func update(at now: Int64) -> (messages: [Message], newcomers: [Int]) {
    var (messages, newcomers): ([Message], [Int]) = ([], [])
    wakes.look(at: now)
    self.now = now
    dismiss()
    if let end = closedUntil, now >= end { closedUntil = nil }
    let doors = openDoors
    let listening = clients.filter { $0.session.takesInput }
    let all = doors.map { $0.listener.descriptor } + listening.map { $0.connection.descriptor }
    for place in Readiness.readable(all) {
      guard place >= doors.count else {
        accept(from: doors[place], at: now)
        continue
      }
      let client = listening[place - doors.count]
      let wasSocket = client.session.isSocket
      for text in receive(client, at: now) {
        messages.append(Message(client: client.number, text: text))
      }
      if !wasSocket, client.session.isSocket { newcomers.append(client.number) }
    }
    for client in clients { client.session.advance(to: now) }
    flush()
    return (messages, newcomers)
  }

  private func accept(from door: Door, at now: Int64) {
    do {
      for _ in 0..<Self.mostAtOnce {
        guard let connection = try door.listener.accept() else { return }
        guard clients.count < Self.mostClients else {
          _ = connection.send(HTTPStatus.unavailable.answer().span)
          leave(Client(0, connection, WebSession(site, at: now)))
          continue
        }
        do { try connection.sendAtOnce() } catch { continue }
        count += 1
        clients.append(Client(count, connection, WebSession(site, at: now)))
      }
    } catch {
      // No descriptor is left: who waits goes on waiting, and does not wake us meanwhile.
      closedUntil = now + Self.rest
    }
  }

  /// Ends what is sent to a client, and reads what it still sends for a moment.
  private func leave(_ client: Client) {
    client.connection.endOutput()
    if leavers.count == Self.mostLeaving { leavers.removeFirst() }
    leavers.append((client, now + Self.lingering))
  }

  /// Closes the connections that have ended, or were read for long enough.
  private func dismiss() {
    leavers.removeAll { client, limit in
      now >= limit || client.connection.receive(into: &buffer) == .end
    }
  }

  private func receive(_ client: Client, at now: Int64) -> [String] {
    switch client.connection.receive(into: &buffer) {
    case .bytes(let count): return client.session.take(buffer[..<count], at: now)
    case .nothing: return []
    case .end:
      client.isGone = true
      return []
    }
  }

  /// Says something to one client.
  package func say(_ text: String, to number: Int) {
    clients.first { $0.number == number }?.session.say(text)
  }

  /// Says something to all; those who have not taken what was said before are passed over.
  package func sayToAll(_ text: String) {
    for client in clients { client.session.say(text, isPassing: true) }
  }

  /// Sends what can be sent at once, and lets go of those who are gone or done.
  package func flush() {
    for client in clients where !client.isGone && !client.session.output.isEmpty {
      if let sent = client.connection.send(client.session.output.span) {
        client.session.sent(sent)
      } else {
        client.isGone = true
      }
    }
    clients.removeAll { client in
      let isDone = client.session.isOver && client.session.output.isEmpty
      if isDone, !client.isGone { leave(client) }
      return isDone || client.isGone
    }
  }

  /// Takes leave of all.
  package func end() {
    for client in clients { client.session.end() }
    flush()
    (clients, leavers, doors) = ([], [], [])
  }
}
