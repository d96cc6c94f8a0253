// SPDX-License-Identifier: Apache-2.0
import TestSupport
import WebSockets

/// Requests of browsers and frames of their sockets, damaged and cut anywhere: whatever comes is
/// answered with whole answers, and takes a bounded part.
struct PageTarget: FuzzTarget {
  private static let site = WebSite(page: "<p>a page</p>", names: ["studio"])

  private let scene: FuzzScene
  private var (requests, messages, closed) = (0, 0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
  }

  var tally: String { "\(requests) handshakes, \(messages) messages, \(closed) closed" }

  mutating func attack(_ random: inout SplitMix) throws {
    var head = request(&random)
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&head, &random) }
    var frames: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) { frames += frame(&random) }
    if Bool.random(using: &random) { Mutation.damage(&frames, &random) }
    try scene.keep(head + frames)
    var (session, now) = (WebSession(Self.site, at: 0), Int64(0))
    var rest = (head + frames)[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...300, using: &random)
      now += Int64.random(in: 0...200_000_000, using: &random)
      for message in session.take(rest.prefix(count), at: now) {
        messages += 1
        try FuzzFault.unless(message.utf8.count <= 4096, "a message of \(message.utf8.count)")
        session.say(message)
      }
      session.advance(to: now)
      rest = rest.dropFirst(count)
      try FuzzFault.unless(session.output.count < 1 << 18, "\(session.output.count) bytes wait")
    }
    let text = String(decoding: session.output.prefix(12), as: UTF8.self)
    try FuzzFault.unless(
      session.output.isEmpty || text.hasPrefix("HTTP/1.1 "), "an answer begins with \(text)")
    if session.isSocket { requests += 1 }
    session.end()
    session.advance(to: now)
    session.advance(to: now + 2 * WebSession.patience)
    try FuzzFault.unless(session.isOver && session.output.isEmpty, "it does not end")
    closed += 1
  }

  private func request(_ random: inout SplitMix) -> [UInt8] {
    let hosts = ["localhost", "127.0.0.1:8120", "[::1]:8120", "studio", "evil.example", ""]
    let host = hosts.randomElement(using: &random) ?? ""
    var lines = [
      ["GET /clock HTTP/1.1", "GET / HTTP/1.1", "HEAD /?a HTTP/1.0", "POST / HTTP/1.1"]
        .randomElement(using: &random) ?? "",
      "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    if Bool.random(using: &random) { lines.append("Origin: http://\(host)") }
    if Int.random(in: 0..<8, using: &random) == 0 { lines.shuffle(using: &random) }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private func frame(_ random: inout SplitMix) -> [UInt8] {
    let kinds: [UInt8] = [0x81, 0x81, 0x81, 0x01, 0x80, 0x89, 0x8A, 0x88, 0x82, 0x00]
    let length = Int.random(in: 0...10, using: &random) == 0 ? 200 : 12
    let payload = (0..<Int.random(in: 0...length, using: &random)).map { _ in
      UInt8.random(in: 0...127, using: &random)
    }
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let count = payload.count
    let size = count < 126 ? [0x80 | UInt8(count)] : [0xFE, UInt8(count >> 8), UInt8(count & 255)]
    return [kinds.randomElement(using: &random) ?? 0x81] + size + mask
      + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}
