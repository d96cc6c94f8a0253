// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import NetworkSockets

/// The contents of a server: one page, and a web socket for it.
package struct WebSite: Sendable {
  /// The path of the page.
  package static let pagePath = "/"
  /// The path of the web socket.
  package static let socketPath = "/clock"

  /// The page: HTML in UTF-8.
  package let page: [UInt8]
  /// The accepted host names, in addition to `localhost` and numeric addresses.
  package let names: Set<String>

  /// Creates a site.
  package init(page: String, names: Set<String> = []) {
    (self.page, self.names) = (Array(page.utf8), Set(names.map { $0.lowercased() }))
  }

  /// The content security policy: inline content, and connections to the same host.
  private static let policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self' ws://"

  /// Answers a request.
  ///
  /// - Returns: The bytes, and true if the connection is now a web socket.
  func answer(_ request: HTTPRequest) -> (bytes: [UInt8], isSocket: Bool) {
    do throws(HTTPStatus) {
      guard let host = request["host"] else { throw .badRequest }
      // Another web page can point a name to this machine, but cannot use a numeric address as its
      // origin.
      guard isOwn(host) else { throw .misdirected }
      switch request.path {
      case Self.socketPath: return (try handshake(request, host), true)
      case Self.pagePath: return (try pageAnswer(request, host), false)
      default: throw .notFound
      }
    } catch {
      let fields =
        switch error {
        case .upgradeRequired: [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
        case .methodNotAllowed: [("Allow", "GET, HEAD")]
        default: [(String, String)]()
        }
      return (error.answer(nil, fields), false)
    }
  }

  private func pageAnswer(_ request: HTTPRequest, _ host: String) throws(HTTPStatus) -> [UInt8] {
    guard ["GET", "HEAD"].contains(request.method) else { throw .methodNotAllowed }
    return HTTPStatus.success.answer(
      page, type: "text/html; charset=utf-8",
      [
        ("Content-Security-Policy", Self.policy + host), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
      ], withBody: request.method == "GET")
  }

  private func handshake(_ request: HTTPRequest, _ host: String) throws(HTTPStatus) -> [UInt8] {
    guard request.method == "GET" else { throw .methodNotAllowed }
    guard request.lists("websocket", in: "upgrade"), request.lists("upgrade", in: "connection"),
      request["sec-websocket-version"] == "13"
    else { throw .upgradeRequired }
    guard let key = request["sec-websocket-key"], Base64.bytes(of: key)?.count == 16 else {
      throw .badRequest
    }
    // A browser sends the page's origin; other clients need not.
    if request.has("origin") {
      let own = ["http://\(host)", "https://\(host)"].map { $0.lowercased() }
      guard let origin = request["origin"]?.lowercased(), own.contains(origin) else {
        throw .forbidden
      }
    }
    let proof = SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    return HTTPStatus.switchingProtocols.head([
      ("Upgrade", "websocket"), ("Connection", "Upgrade"),
      ("Sec-WebSocket-Accept", Base64.text(of: proof)),
    ])
  }

  private func isOwn(_ host: String) -> Bool {
    do {
      // Characters that do not occur in addresses could end the header field in which the host is
      // repeated.
      guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !";,'\"".utf8.contains($0) }) else {
        return false
      }
      let name = try HostName.split(host, defaultPort: 80).host.lowercased()
      return IPAddress(name) != nil || name == "localhost" || names.contains(name)
    } catch {
      return false
    }
  }
}
