// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets

/// A server for one page and its web sockets; its functions do not wait.
///
/// - Note: Use it from one thread at a time.
package final class WebServer {
  /// The most simultaneous connections.
  package static let mostClients = 256
  /// The most connections that are accepted in one call.
  private static let mostAtOnce = 64
  /// The most wakes in 20 ms, so that each client gets its share.
  private static let mostWakes = 128
  /// The pause in accepting connections if no file descriptor is available, in nanoseconds: 1 s.
  private static let rest: Int64 = 1_000_000_000
  /// The time for which a connection is read after its last answer, in nanoseconds: 1 s.
  private static let lingering: Int64 = 1_000_000_000
  /// The most connections read after their last answers; the oldest is closed first.
  private static let mostLeaving = 64
  /// The most bytes that are read from one client at a time.
  private static let chunk = 16_384

  /// A connected client.
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

  /// A message from a client.
  package struct Message: Sendable {
    /// The number of the client, for an answer.
    package let client: Int
    /// The text of the message.
    package let text: String
  }

  private let site: WebSite
  private var doors: [Door] = []
  private var clients: [Client] = []
  /// Clients that were sent their last answer, with the time until which each is read.
  ///
  /// A connection that is closed with unread bytes is reset, and the answer is lost.
  private var leavers: [(client: Client, limit: Int64)] = []
  private var now: Int64 = 0
  private var count = 0
  private var wakes = WakeLimit(most: WebServer.mostWakes)
  /// The time until which connections are not accepted; nil if they are.
  private var closedUntil: Int64?
  private var buffer = [UInt8](repeating: 0, count: WebServer.chunk)

  /// Creates a server.
  ///
  /// It is not reachable until `listen` is called.
  package init(_ site: WebSite) {
    self.site = site
  }

  /// Accepts connections at an address.
  ///
  /// - Parameter address: An address of this machine; port 0 lets the system choose.
  /// - Returns: The address, with the port that the system chose.
  /// - Throws: `NetworkError` if the address is in use, or is not an address of this machine.
  @discardableResult
  package func listen(at address: SocketAddress) throws(NetworkError) -> SocketAddress {
    let door = try Door(address)
    let own = try door.listener.localAddress()
    doors.append(door)
    return own
  }

  /// The file descriptors that become readable when `update` must be called.
  ///
  /// Empty for a moment after too much traffic.
  package var descriptors: [Int32] {
    guard wakes.isOpen else { return [] }
    return openDoors.map { $0.listener.descriptor }
      + leavers.map { $0.client.connection.descriptor }
      + clients.lazy.filter { $0.session.takesInput }.map { $0.connection.descriptor }
  }

  private var openDoors: [Door] { closedUntil == nil ? doors : [] }

  /// The numbers of the clients with an open web socket.
  package var sockets: Set<Int> {
    Set(clients.lazy.filter { $0.session.isSocket }.map(\.number))
  }

  /// Processes received data, and disconnects clients that are slow or have disappeared.
  ///
  /// - Parameter now: The time of any monotonic clock, in nanoseconds.
  /// - Returns: The received messages, and the numbers of clients with new web sockets.
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
      // No file descriptor is available: connections wait, and do not wake this thread meanwhile.
      closedUntil = now + Self.rest
    }
  }

  /// Closes the sending side of a client, and continues to read from it for a moment.
  private func leave(_ client: Client) {
    client.connection.endOutput()
    if leavers.count == Self.mostLeaving { leavers.removeFirst() }
    leavers.append((client, now + Self.lingering))
  }

  /// Closes connections that have ended or were read for long enough.
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

  /// Sends a message to one client.
  package func say(_ text: String, to number: Int) {
    clients.first { $0.number == number }?.session.say(text)
  }

  /// Sends a message to all clients, except those that have not received earlier messages yet.
  package func sayToAll(_ text: String) {
    for client in clients { client.session.say(text, isPassing: true) }
  }

  /// Sends as much as possible now, and removes clients that are finished or have disappeared.
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

  /// Closes all connections and listeners.
  package func end() {
    for client in clients { client.session.end() }
    flush()
    (clients, leavers, doors) = ([], [], [])
  }
}
