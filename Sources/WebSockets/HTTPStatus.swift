// SPDX-License-Identifier: Apache-2.0

/// The status of an HTTP answer.
///
/// Source: RFC 9110, RFC 6455.
enum HTTPStatus: Int, Error {
  case switchingProtocols = 101
  case success = 200
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case misdirected = 421
  case upgradeRequired = 426
  case fieldsTooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  /// The reason phrase of the status line.
  var reason: String {
    switch self {
    case .switchingProtocols: "Switching Protocols"
    case .success: "OK"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .misdirected: "Misdirected Request"
    case .upgradeRequired: "Upgrade Required"
    case .fieldsTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }

  /// A sentence for the viewer.
  var sentence: String {
    switch self {
    case .misdirected: "Open this page by numeric address, or as localhost."
    case .forbidden: "Other web pages cannot use this address."
    case .unavailable: "Too many viewers; try again later."
    default: reason
    }
  }

  /// The bytes of an answer after which the connection is closed.
  ///
  /// - Parameters:
  ///   - body: The body; nil for `sentence`.
  ///   - type: The content type.
  ///   - fields: Additional fields.
  ///   - withBody: False to send only the head, with the body's length.
  /// - Returns: The bytes of head and body.
  func answer(
    _ body: [UInt8]? = nil, type: String = "text/plain; charset=utf-8",
    _ fields: [(String, String)] = [], withBody: Bool = true
  ) -> [UInt8] {
    let bytes = body ?? Array("\(sentence)\n".utf8)
    let all =
      [
        ("Content-Type", type), ("Content-Length", "\(bytes.count)"), ("Connection", "close"),
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ] + fields
    return head(all) + (withBody ? bytes : [])
  }

  /// The bytes of a head with these fields.
  func head(_ fields: [(String, String)]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(rawValue) \(reason)"] + fields.map { "\($0.0): \($0.1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
