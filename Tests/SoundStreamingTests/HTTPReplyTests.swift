// SPDX-License-Identifier: Apache-2.0
import SoundStreaming
import TestSupport
import Testing

/// The header of a server's reply: content that is not sound, redirects, refusals, passwords.
@Suite(.enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"))
struct HTTPReplyTests {
  private typealias Stream = HTTPSourceTests

  @Test func `pages and lists are detected by their type or their first bytes`() async throws {
    let server = TestHTTPServer { request, connection in
      switch request.target {
      case "/type": connection.sendFile(Stream.file, request, type: "text/html; charset=utf-8")
      case "/page": connection.sendFile(Array("\n<!DOCTYPE html><p>".utf8), request)
      default:
        connection.head("200 OK", "Content-Type: audio/mpeg")
        for byte in "#EXTM3U\nhttp://x/".utf8 { connection.send([byte]) }
      }
    }
    let kinds: [(String, ForeignContent)] = [
      ("/type", .webPage), ("/page", .webPage), ("/list", .addressList),
    ]
    #expect(kinds.map(\.1.rawValue) == ["a web page", "a web page", "a playlist"])
    for (path, kind) in kinds {
      let heard = await Stream.hear(try Stream.source(server, path))
      #expect(heard.error == .notSound(server.address + path, kind: kind))
      #expect(heard.bytes == [])
    }
  }

  @Test func `redirects are followed, and circular ones end`() async throws {
    let server = TestHTTPServer { request, connection in
      switch request.target {
      case "/first": connection.head("302 Found", "Location: /second", "Content-Length: 0")
      case "/second": connection.head("307 Temporary", "Location: /a.aac", "Content-Length: 0")
      case "/ring": connection.head("301 Moved", "Location: /ring?again=1", "Content-Length: 0")
      case "/away":
        connection.head("302 Found", "Location: file:///etc/passwd", "Content-Length: 0")
      case "/a.aac": connection.sendFile(Stream.file, request)
      default: connection.head("301 Moved", "Location: /ring", "Content-Length: 0")
      }
    }
    #expect(await Stream.hear(try Stream.source(server, "/first")).bytes == Stream.file)
    var settings = Stream.patient
    settings.redirectLimit = 5
    let ring = await Stream.hear(try Stream.source(server, "/ring", settings: settings))
    #expect(ring.error == .redirected(server.address + "/ring", limit: 5))
    let away = await Stream.hear(try Stream.source(server, "/away"))
    #expect(away.error != nil && away.bytes == [])
  }

  @Test func `refusals, missing hosts and insecure connections are reported immediately`()
    async throws
  {
    let server = TestHTTPServer { request, connection in
      connection.head("\(request.target.dropFirst()) X", "Content-Length: 0")
    }
    for status in [401, 404, 503] {
      let heard = await Stream.hear(try Stream.source(server, "/\(status)"))
      #expect(heard.error == .refused("\(server.address)/\(status)", status: status))
      #expect(heard.events == [])
    }
    let secure = "https://127.0.0.1:\(server.port)/x"
    let heard = await Stream.hear(try HTTPSource(secure, settings: Stream.patient))
    guard case .notSecure(let address, let reason)? = heard.error else {
      Issue.record("\(String(describing: heard.error))")
      return
    }
    #expect(address == secure && !reason.isEmpty)
    // The system assigned this port and released it, so connections are refused.
    let port = TestHTTPServer { _, _ in }.port
    let gone = await Stream.hear(
      try HTTPSource("http://127.0.0.1:\(port)/", settings: Stream.patient))
    guard case .unreachable? = gone.error else {
      Issue.record("\(String(describing: gone.error))")
      return
    }
  }

  @Test func `a password is sent to its host only, and is not in messages`() async throws {
    let other = TestHTTPServer { $1.sendFile(Stream.file, $0) }
    let away = other.address
    let server = TestHTTPServer { request, connection in
      switch request.target {
      case "/away": connection.head("302 Found", "Location: \(away)/a.aac", "Content-Length: 0")
      default: connection.head("403 Forbidden", "Content-Length: 0")
      }
    }
    let host = "127.0.0.1:\(server.port)"
    let source = try HTTPSource("http://user:sesame@\(host)/away", settings: Stream.patient)
    #expect(await Stream.hear(source).bytes == Stream.file)
    // "user:sesame" in Base64.
    #expect(server.requests[0].fields["authorization"] == "Basic dXNlcjpzZXNhbWU=")
    #expect(other.requests[0].fields["authorization"] == nil)
    let refused = try HTTPSource(
      "http://user:sesame@\(host)/x?key=sesame", settings: Stream.patient)
    let heard = await Stream.hear(refused)
    let text = "\(try #require(heard.error)) \(heard.events) \(refused.address)"
    #expect(text.contains("http://\(host)/x?…") && !text.contains("sesame"))
    #expect(server.requests[1].target == "/x?key=sesame")
    #expect(throws: HTTPError.badAddress("host")) { try HTTPSource("user:sesame@host") }
  }

  @Test func `an endless header is refused`() async throws {
    let server = TestHTTPServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      let line = Array(("X: " + String(repeating: "x", count: 997) + "\r\n").utf8)
      connection.sendEndlessly(line, sent: { _ in }, blocked: {})
    }
    let heard = try await Stream.hear(server)
    #expect(
      heard.error
        == .unreachable(server.address + "/a.aac", reason: "the header of its reply is too long"))
    #expect(heard.events == [])
  }

  @Test func `an endless header line is refused, and not reported as a lack of memory`()
    async throws
  {
    let server = TestHTTPServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nX: ")
      connection.sendEndlessly([UInt8](repeating: 0x78, count: 1000), sent: { _ in }, blocked: {})
    }
    let heard = try await Stream.hear(server)
    #expect(
      heard.error
        == .unreachable(server.address + "/a.aac", reason: "the header of its reply is too long"))
    #expect(heard.events == [])
  }
}
