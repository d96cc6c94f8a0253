// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import JSONText
internal import Realtime

/// Lets other programs lead a player: it listens on sockets, does what comes, and tells what
/// happens, whoever caused it.
///
/// It never waits: whoever does not read, or sends without an end, is served no further.
///
/// - Note: one thread, the one with the player's keys.
package final class ControlServer {
  private static let mostClients = 32
  /// The most clients accepted at a time.
  private static let mostAtOnce = 64
  /// How long the sockets rest if the system has no descriptor left, in nanoseconds: 1 s.
  private static let rest: Int64 = 1_000_000_000
  /// What is read of one client at a time.
  private static let chunk = 16_384

  private struct Client {
    let descriptor: Int32
    var session = ControlSession()
    var isGone = false
  }

  private let sockets: [ControlSocket]
  private let media: MediaServer?
  private let osc: OSCReceiver?
  private var clients: [Client] = []
  private var playerEvents = PlayerEvents()
  private var buffer = [UInt8](repeating: 0, count: ControlServer.chunk)
  /// Until when no client is accepted; nil if clients are.
  private var closedUntil: Int64?

  package init(_ sockets: [ControlSocket], _ media: MediaServer?, _ osc: OSCReceiver?) {
    self.sockets = sockets
    self.media = media
    self.osc = osc
  }

  deinit { end() }

  /// What becomes readable when somebody has something to say.
  package var descriptors: [Int32] {
    let doors = closedUntil == nil ? sockets.map(\.descriptor) : []
    return doors + (media?.descriptors ?? []) + (osc?.descriptors ?? [])
      + clients.filter { $0.session.takesInput && !$0.isGone }.map(\.descriptor)
  }

  /// When something is to be done that was asked for before, in nanoseconds; nil where nothing is.
  package var deadline: Int64? { osc?.deadline }

  /// A song begins.
  package func begin(_ target: some ControlTarget) {
    tell(playerEvents.begin(target.status))
    flush()
  }

  /// Does what came, and tells what has changed; true where a command was done.
  package func update(_ target: some ControlTarget) -> Bool {
    acceptAll()
    var isDone = media?.update(target) ?? false
    for index in clients.indices {
      receive(&clients[index])
      isDone = clients[index].session.answer(target) || isDone
    }
    isDone = osc?.update(target) ?? false || isDone
    tellHappenings(target, isUrgent: isDone)
    flush()
    return isDone
  }

  /// A song is over.
  package func finish(_ target: some ControlTarget, _ reason: String) {
    tell(PlayerEvents.end(target.status, reason))
    flush()
  }

  /// The player ends.
  package func end() {
    tell([("shutdown", [])])
    flush()
    for client in clients { close(client.descriptor) }
    clients = []
  }

  private func acceptAll() {
    if let end = closedUntil {
      guard DeadlineWait.now >= end else { return }
      closedUntil = nil
    }
    for socket in sockets {
      do throws(ControlSocket.Shortage) {
        for _ in 0..<Self.mostAtOnce {
          guard let descriptor = try socket.accept() else { break }
          if clients.count == Self.mostClients { removeClosed() }
          if clients.count < Self.mostClients {
            clients.append(Client(descriptor: descriptor))
          } else {
            refuse(descriptor)
          }
        }
      } catch {
        // The socket stays readable, and must not keep the thread awake.
        closedUntil = DeadlineWait.now + Self.rest
        return
      }
    }
  }

  /// Makes room: clients that have closed their connections need no place.
  private func removeClosed() {
    for index in clients.indices { receive(&clients[index]) }
    flush()
  }

  /// Sends the error for too many clients, and closes the connection.
  private func refuse(_ descriptor: Int32) {
    let answer = ControlSession.refusal(
      "\(Self.mostClients) programs are connected already (close one and try again)")
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    _ = unsafe Glibc.send(descriptor, answer, answer.count, flags)
    close(descriptor)
  }

  private func receive(_ client: inout Client) {
    guard client.session.takesInput, !client.isGone else { return }
    let count = unsafe recv(client.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      client.session.take(buffer[..<count])
    } else if count == 0 {
      client.session.endInput()
    } else if errno != EAGAIN, errno != EINTR {
      client.isGone = true
    }
  }

  private func tellHappenings(_ target: some ControlTarget, isUrgent: Bool) {
    guard !clients.isEmpty, playerEvents.isDue(isUrgent: isUrgent) else { return }
    let status = target.status
    tell(playerEvents.changes(to: status))
    for index in clients.indices where clients[index].session.observes {
      clients[index].session.tellChanges(status)
    }
  }

  private func tell(_ events: [PlayerEvents.Event]) {
    for event in events {
      for index in clients.indices { clients[index].session.tell(event.name, event.members) }
    }
  }

  /// Sends what can be sent at once, and lets go of those who are gone or done.
  private func flush() {
    for index in clients.indices { send(&clients[index]) }
    clients.removeAll { client in
      let isDone = client.isGone || client.session.isOver && client.session.isServed
      if isDone { close(client.descriptor) }
      return isDone
    }
  }

  private func send(_ client: inout Client) {
    guard !client.isGone, !client.session.output.isEmpty else { return }
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let output = client.session.output
    let count = unsafe Glibc.send(client.descriptor, output, output.count, flags)
    if count > 0 {
      client.session.sent(count)
    } else if errno != EAGAIN, errno != EINTR {
      client.isGone = true
    }
  }
}
