// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import JSONText
internal import MusicalTime
package import NetworkSockets
internal import Realtime
internal import WebSockets

/// Shows a clock to browsers, with a page and a web socket; it never blocks.
///
/// A browser that sends the token, which is part of the control page's address, may also control
/// the player.
///
/// - Note: Use it on the thread that performs commands.
package final class WebClock {
  /// The interval between messages if nothing has changed, in nanoseconds.
  private static let period: Int64 = 500_000_000
  /// The least interval between two messages about changes, in nanoseconds.
  private static let pause: Int64 = 40_000_000

  private let server: WebServer
  private let token: String
  /// The clients that have sent the token.
  private var leaders: Set<Int> = []
  private var (nextLook, nextTelling): (Int64, Int64) = (0, 0)
  /// The text that was sent last.
  private var words = ""
  private var beats: [BeatForecast.Beat] = []
  /// The addresses of the page that only shows the clock, and of the control page.
  package let addresses: (shows: [String], leads: [String])

  /// Starts to listen.
  ///
  /// - Throws: `NetworkError` if the port is in use or the host is not an address of this machine.
  package init(_ place: ListenAddress) throws(NetworkError) {
    var system = SystemRandomNumberGenerator()
    token = (0..<4).map { _ in
      let digits = String(system.next() as UInt32, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    let own = HostName.own
    let names = [place.host, own, own.map { "\($0).local" }].compactMap { $0 }
    let server = WebServer(WebSite(page: ClockPage.text, names: Set(names)))
    var bound: [SocketAddress] = []
    try place.open { address throws(NetworkError) in
      // Both IP versions use the port that the system chose for the first.
      let port = address.port == 0 ? bound.first?.port ?? 0 : address.port
      bound.append(try server.listen(at: SocketAddress(address.address, port: port)))
    }
    self.server = server
    let shows = Self.pages(of: bound[0])
    let token = token
    addresses = (shows, shows.map { "\($0)#\(token)" })
  }

  /// The page's addresses; those of all interfaces if it listens on all.
  private static func pages(of bound: SocketAddress) -> [String] {
    var hosts = [bound.address]
    if bound.address == .anyV4 || bound.address == .anyV6 {
      do {
        let others = try NetworkInterface.list().flatMap(\.addresses)
        hosts = others.filter { $0.isV6 == bound.address.isV6 && !$0.isLinkLocal || $0.isLoopback }
      } catch {
        // The system does not list interfaces, so the address is used as given.
      }
    }
    return hosts.map { "http://\(SocketAddress($0, port: bound.port))/" }
  }

  /// The descriptors that are readable when a client has sent something.
  package var descriptors: [Int32] { server.descriptors }

  /// Answers messages and sends changes; commands are refused.
  ///
  /// - Parameter scene: The clock to show.
  package func update(_ scene: @autoclosure () -> WebScene) {
    _ = serve(scene(), able: []) { _ in }
  }

  /// Answers messages, performs commands of clients that may control, and sends changes.
  ///
  /// - Parameters:
  ///   - scene: The clock to show.
  ///   - target: The player to control.
  /// - Returns: True if a command was performed.
  package func update(_ scene: @autoclosure () -> WebScene, leading target: some ControlTarget)
    -> Bool
  {
    let able = ControlVerb.leadable.filter { type(of: target).verbs.contains($0) }
    return serve(scene(), able: able) { command in
      if !target.hasEnded { try target.execute(command) }
    }
  }

  private func serve(
    _ scene: @autoclosure () -> WebScene, able: [ControlVerb],
    perform: (PlayCommand) throws -> Void
  ) -> Bool {
    let now = MonotonicClock.now
    let (messages, newcomers) = server.update(at: now.nanoseconds)
    var isDone = false
    for message in messages {
      isDone = take(message, able, perform) || isDone
    }
    if !leaders.isEmpty { leaders.formIntersection(server.sockets) }
    look(at: scene, now.nanoseconds, isUrgent: isDone, newcomers)
    server.flush()
    return isDone
  }

  /// Sends the scene to all clients if it has changed or the interval has passed; otherwise only to
  /// new clients.
  private func look(
    at scene: () -> WebScene, _ now: Int64, isUrgent: Bool, _ newcomers: [Int]
  ) {
    guard now >= nextLook || isUrgent || !newcomers.isEmpty, !server.sockets.isEmpty else { return }
    nextLook = now + Self.pause
    let scene = scene()
    let time = HostTime(nanoseconds: now)
    do {
      let words = scene.words(at: time)
      let isNew = try words != self.words || scene.breaks(beats, at: time)
      let isForAll = isNew || now >= nextTelling
      guard isForAll || !newcomers.isEmpty else { return }
      let beats = try scene.beats(around: time)
      let text = "\(try scene.document(at: time, beats))"
      guard isForAll else { return newcomers.forEach { server.say(text, to: $0) } }
      (self.words, self.beats, nextTelling) = (words, beats, now + Self.period)
      server.sayToAll(text)
    } catch {
      // A position that no format can represent is not shown.
    }
  }

  /// Handles a message of a client; returns true if a command was performed.
  private func take(
    _ message: WebServer.Message, _ able: [ControlVerb], _ perform: (PlayCommand) throws -> Void
  ) -> Bool {
    do throws(any Error) {
      let document = try JSONReader.read(Array(message.text.utf8))
      switch document["type"]?.string {
      case "ping":
        let number = document["id"]?.wholeNumber ?? 0
        answer(
          message, "pong",
          [
            ("id", .integer(Int(number))),
            ("now", WebScene.milliseconds(MonotonicClock.now)),
          ])
      case "token":
        guard isToken(document["token"]?.string ?? "") else {
          throw ControlError(
            .noPermission, "this page cannot control the player (open the control page)")
        }
        leaders.insert(message.client)
        answer(message, "lead", [("can", .array(able.map { .text($0.rawValue) }))])
      case "command":
        guard leaders.contains(message.client) else {
          throw ControlError(.noPermission, "only the control page can control the player")
        }
        try perform(try command(document["command"]?.elements ?? [], able))
        return true
      default: throw ControlError(.usage, "type must be ping, token or command")
      }
    } catch {
      answer(message, "error", [("error", .text("\(error)"))])
    }
    return false
  }

  private func command(
    _ words: [JSONValue], _ able: [ControlVerb]
  ) throws(ControlError) -> PlayCommand {
    let name = words.first?.string ?? ""
    guard let verb = ControlVerb(name: name), able.contains(verb),
      case .perform(let command) = try ControlRequest.action(name, Array(words.dropFirst()))
    else {
      let list = able.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.usage, "'\(name)' is not available here (available: \(list))")
    }
    return command
  }

  private func answer(
    _ message: WebServer.Message, _ type: String, _ members: [(name: String, value: JSONValue)]
  ) {
    server.say(
      "\(JSONValue.object([("v", 1), ("type", .text(type))] + members))", to: message.client)
  }

  /// Compares in constant time, so that the time does not show how many characters are right.
  private func isToken(_ text: String) -> Bool {
    let (given, own) = (Array(text.utf8), Array(token.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(0 as UInt8) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// Closes all connections.
  package func end() { server.end() }
}

extension ControlVerb {
  /// The commands that the control page can send.
  fileprivate static let leadable: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .bars, .marker, .restart, .next, .previous, .speed,
    .tempo, .tap,
  ]
}
