// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import JSONText
internal import Realtime

/// The remote control of a player: performs the commands of other programs, and reports changes of
/// the player to these programs.
///
/// Programs connect through a socket with lines of JSON (`downbeat ctl`, mpv's protocol), MPRIS
/// (media keys, desktop panels) or Open Sound Control. `run(_:)` serves one song:
///
/// ```swift
/// let server = try ControlServer()
/// try server.run(PlayControls(playback, session, songs: SongQueue(paths: ["song.mid"])))
/// ```
///
/// If your program has an event loop, wait for `descriptors` and `deadline`, and call `update(_:)`.
/// These calls do not block: a client that does not read its answers is disconnected.
///
/// - Note: Use it on the thread that performs commands.
public final class ControlServer {
  /// The maximum number of connections.
  private static let mostClients = 32
  /// The maximum number of clients accepted in one update.
  private static let mostAtOnce = 64
  /// The time for which the sockets are not read if descriptors are exhausted, in ns: 1 s.
  private static let rest: Int64 = 1_000_000_000
  /// The maximum number of bytes read from one client at a time.
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
  /// The time until which clients are not accepted; nil if they are.
  private var closedUntil: Int64?

  /// Creates a server with a socket that `downbeat ctl` finds, and with MPRIS.
  ///
  /// - Throws: The same errors as `ControlSocket.init()`.
  public convenience init() throws {
    self.init(sockets: [try ControlSocket()], media: MediaServer())
  }

  /// Creates a server from its parts.
  ///
  /// - Parameters:
  ///   - sockets: The sockets through which programs can connect.
  ///   - media: The connection to the desktop; nil, the default, for none.
  ///   - osc: The receiver of Open Sound Control; nil, the default, for none.
  public init(sockets: [ControlSocket], media: MediaServer? = nil, osc: OSCReceiver? = nil) {
    self.sockets = sockets
    self.media = media
    self.osc = osc
  }

  deinit { end() }

  /// The file descriptors to wait for: they become readable when a program has sent a command or
  /// connects.
  ///
  /// Read this property again after each `update(_:)`, because the descriptors of connections
  /// change.
  public var descriptors: [Int32] {
    let doors = closedUntil == nil ? sockets.map(\.descriptor) : []
    return doors + (media?.descriptors ?? []) + (osc?.descriptors ?? [])
      + clients.filter { $0.session.takesInput && !$0.isGone }.map(\.descriptor)
  }

  /// The time at which the next scheduled command is due, in nanoseconds of `CLOCK_MONOTONIC`; nil
  /// if no command is scheduled.
  public var deadline: Int64? { osc?.deadline }

  /// Reports the start of a song or sound to connected programs.
  ///
  /// - Parameter target: The player.
  public func begin(_ target: some ControlTarget) {
    tell(playerEvents.begin(target.status))
    flush()
  }

  /// Performs the received commands that are due, and reports changes of the player's status.
  ///
  /// Call this method when a descriptor is readable, at the deadline, and at least ten times per
  /// second, because changes are reported only in these calls.
  ///
  /// - Parameter target: The player.
  /// - Returns: True if a command was performed.
  @discardableResult
  public func update(_ target: some ControlTarget) -> Bool {
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

  /// Reports the end of a song or sound to connected programs.
  ///
  /// - Parameters:
  ///   - target: The player.
  ///   - reason: The reason that the song or sound has ended.
  public func finish(_ target: some ControlTarget, _ reason: EndReason) {
    tell(PlayerEvents.end(target.status, reason))
    flush()
  }

  /// Reports the end of the player, and closes all connections.
  ///
  /// The method is called automatically when the server is released.
  public func end() {
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

  /// Removes clients that have closed their connections, to make room.
  private func removeClosed() {
    for index in clients.indices { receive(&clients[index]) }
    flush()
  }

  /// Sends the error for too many clients, and closes the connection.
  private func refuse(_ descriptor: Int32) {
    let answer = ControlSession.refusal(
      "too many connected programs, \(Self.mostClients) (close one and try again)")
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

  /// Sends as much as possible without blocking, and removes clients that are gone or done.
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
