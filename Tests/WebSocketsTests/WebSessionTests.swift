// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import WebSockets

@Suite struct WebSessionTests {
  private static let site = WebSite(page: "<p>a page</p>", names: ["Studio"])

  /// The request of RFC 6455, section 1.2, for our address.
  private static func handshake(
    host: String = "127.0.0.1:8120", origin: String? = nil, key: String = "dGhlIHNhbXBsZSBub25jZQ=="
  ) -> String {
    """
    GET /clock HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r
    Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r
    \(origin.map { "Origin: \($0)\r\n" } ?? "")\r

    """
  }

  private static func session(_ text: String, at now: Int64 = 0) -> WebSession {
    var session = WebSession(site, at: 0)
    #expect(session.take(text.utf8, at: now) == [])
    return session
  }

  private static func open() -> WebSession {
    var session = session(handshake())
    #expect(session.isSocket)
    session.sent(session.output.count)
    return session
  }

  private static func text(_ session: WebSession) -> String {
    String(decoding: session.output, as: UTF8.self)
  }

  private static func status(_ session: WebSession) -> Int? {
    Int(text(session).dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// A client's frame.
  private static func frame(
    _ kind: WebFrame.Kind, _ payload: [UInt8], isLast: Bool = true, masked: Bool = true
  ) -> [UInt8] {
    var bytes = [(isLast ? 0x80 : 0) | kind.rawValue]
    let flag: UInt8 = masked ? 0x80 : 0
    bytes +=
      payload.count < 126
      ? [flag | UInt8(payload.count)]
      : [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    guard masked else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// The close code; nil if the session has not sent one.
  private static func code(_ session: WebSession) -> Int? {
    let bytes = session.output.suffix(4)
    guard session.isOver, bytes.prefix(2) == [0x88, 2] else { return nil }
    return bytes.suffix(2).reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `the handshake of RFC 6455 has its answer`() {
    let session = Self.session(Self.handshake())
    #expect(session.isSocket && !session.isOver)
    #expect(
      Self.text(session) == """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r

        """)
  }

  @Test func `the page is asked for by addresses and own names alone`() {
    for host in ["127.0.0.1:8120", "[::1]:8120", "localhost:1", "STUDIO", "192.168.1.5"] {
      let session = Self.session("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(Self.status(session) == 200 && session.isOver, "\(host)")
      #expect(Self.text(session).hasSuffix("\r\n\r\n<p>a page</p>"))
      #expect(Self.text(session).contains("Content-Security-Policy: default-src 'none'"))
      #expect(!Self.text(session).contains("Set-Cookie"))
    }
    for host in ["evil.example:8120", "127.0.0.1.evil.example", "studio2", "a b", "x;y", ""] {
      let session = Self.session("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(Self.status(session) == 421, "\(host)")
      #expect(Self.status(Self.session(Self.handshake(host: host))) == 421, "\(host)")
    }
  }

  @Test func `a socket is opened to pages of the same origin alone`() {
    for origin in ["http://127.0.0.1:8120", "HTTP://127.0.0.1:8120", nil] {
      #expect(Self.session(Self.handshake(origin: origin)).isSocket)
    }
    for origin in [
      "http://evil.example", "null", "http://127.0.0.1:8121", "http://127.0.0.1:8120.evil", "",
    ] {
      #expect(Self.status(Self.session(Self.handshake(origin: origin))) == 403, "\(origin)")
    }
    let twice = Self.handshake(origin: "http://127.0.0.1:8120\r\nOrigin: http://evil.example")
    #expect(Self.status(Self.session(twice)) == 403)
  }

  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/2\r\nHost: localhost\r\n\r\n", 505), ("GET /\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400), ("\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: local\nhost\r\n\r\n", 400),
    ("GET /clock HTTP/1.1\r\nHost: localhost\r\n\r\n", 426),
    ("\(WebSessionTests.handshake(key: "short"))", 400),
    ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 65) + "\r\n", 431),
    ("GET /" + String(repeating: "x", count: 9000), 431),
  ])
  func `an unsupported request gets its status`(request: String, status: Int) {
    let session = Self.session(request)
    #expect(Self.status(session) == status, "\(Self.text(session))")
    #expect(session.isOver && !session.isSocket)
  }

  @Test func `the response to HEAD omits the body`() {
    let session = Self.session("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(Self.status(session) == 200 && Self.text(session).contains("Content-Length: 13\r\n"))
    #expect(Self.text(session).hasSuffix("\r\n\r\n"))
  }

  @Test func `messages are taken, whole and in parts, with pings between`() {
    var session = Self.open()
    let bytes =
      Self.frame(.text, Array("héllo".utf8)) + Self.frame(.text, Array("a".utf8), isLast: false)
      + Self.frame(.ping, [1, 2]) + Self.frame(.continuation, Array("b".utf8))
      + Self.frame(.text, [UInt8](repeating: 65, count: 4096))
    #expect(
      session.take(bytes, at: 0) == ["héllo", "ab", String(repeating: "A", count: 4096)])
    #expect(session.output == [0x8A, 2, 1, 2])
    // The masked Hello of RFC 6455, section 5.7.
    let hello: [UInt8] = [
      0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
    ]
    #expect(session.take(hello, at: 0) == ["Hello"])
  }

  @Test func `what no client may send closes with its code`() {
    let cases: [([UInt8], Int)] = [
      (Self.frame(.text, [65], masked: false), 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002),
      ([0x83, 0x80, 0, 0, 0, 0], 1002), (Self.frame(.binary, [1]), 1003),
      (Self.frame(.text, [0xFF]), 1007), (Self.frame(.continuation, [65]), 1002),
      (Self.frame(.ping, [], isLast: false), 1002),
      (Self.frame(.text, [UInt8](repeating: 65, count: 4097)), 1009),
      ([0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1], 1009), ([0x81, 0xFE, 0, 5], 1002),
      (Self.frame(.text, [65], isLast: false) + Self.frame(.text, [66]), 1002),
      (Self.frame(.close, [3]), 1002), (Self.frame(.close, [3, 0xED]), 1002),
      (Self.frame(.close, [3, 0xE8]), 1000),
    ]
    for (bytes, code) in cases {
      var session = Self.open()
      #expect(session.take(bytes, at: 0) == [])
      #expect(Self.code(session) == code, "\(bytes)")
      #expect(session.take(Self.frame(.text, [65]), at: 0) == [] && !session.takesInput)
    }
    // Parts that make a message too long.
    var session = Self.open()
    let half = [UInt8](repeating: 65, count: 4000)
    _ = session.take(Self.frame(.text, half, isLast: false), at: 0)
    _ = session.take(Self.frame(.continuation, half, isLast: false), at: 0)
    #expect(Self.code(session) == 1009)
  }

  @Test func `who is slow, silent or noisy is let go`() {
    var slow = Self.session("GET / HT")
    slow.advance(to: WebSession.patience)
    #expect(!slow.isOver)
    slow.advance(to: WebSession.patience + 1)
    #expect(Self.status(slow) == 408)
    // And if it does not take that either:
    slow.advance(to: 3 * WebSession.patience)
    slow.advance(to: 5 * WebSession.patience)
    #expect(slow.output.isEmpty)
    var silent = Self.open()
    silent.advance(to: WebSession.silence + 1)
    #expect(silent.output == [0x89, 0])
    silent.advance(to: 2 * WebSession.silence + 1)
    #expect(Self.code(silent) == 1001)
    var noisy = Self.open()
    for _ in 0..<51 { _ = noisy.take(Self.frame(.text, [65]), at: 0) }
    #expect(Self.code(noisy) == 1008)
    var steady = Self.open()
    for second in 0..<200 {
      _ = steady.take(Self.frame(.text, [65]), at: Int64(second) * 25_000_000)
    }
    #expect(!steady.isOver)
  }

  @Test func `what is not read is not added to`() {
    var session = Self.open()
    session.say("one", isPassing: true)
    session.say("two", isPassing: true)
    #expect(session.output == [0x81, 3] + Array("one".utf8))
    for _ in 0..<100 { session.say(String(repeating: "x", count: 4000)) }
    #expect(session.output.count < WebSession.mostWaiting + 4004 && !session.takesInput)
    session.sent(session.output.count)
    session.say(String(repeating: "x", count: 70_000))
    #expect(session.output.prefix(4) == [0x81, 127, 0, 0] && session.output.count == 70_010)
  }

  @Test func `bytes have the same outcome however they are cut`() {
    let bytes =
      Array(Self.handshake().utf8) + Self.frame(.text, Array("one".utf8)) + Self.frame(.ping, [7])
      + Self.frame(.text, Array("tw".utf8), isLast: false)
      + Self.frame(.continuation, Array("o".utf8)) + Self.frame(.close, [3, 0xE8])
    var random = SplitMix(seed: 5)
    for _ in 0..<300 {
      var (session, rest) = (WebSession(Self.site, at: 0), bytes[...])
      var messages: [String] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...40, using: &random)
        messages += session.take(rest.prefix(count), at: 0)
        rest = rest.dropFirst(count)
      }
      #expect(messages == ["one", "two"] && Self.code(session) == 1000)
    }
  }
}
