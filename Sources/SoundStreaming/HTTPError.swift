// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackages

/// The reason that sound cannot be received from a web address.
///
/// Addresses in errors do not contain the user, password or query.
public enum HTTPError: Error, Hashable, Sendable {
  /// libcurl is not installed.
  case libraryMissing
  /// The string is not an HTTP address.
  case badAddress(String)
  /// The thread or the transfer cannot be started; the code is an error number (`errno`), or 0 if
  /// unknown.
  case cannotStart(code: Int32)
  /// The host is unknown or refuses connections, or the connection was lost; `reason` is libcurl's
  /// message.
  case unreachable(String, reason: String)
  /// No data arrived for a time; `after` is its duration.
  case stalled(String, after: Duration)
  /// A secure connection is not possible, for example because the certificate is not trusted.
  case notSecure(String, reason: String)
  /// The server refused the request with this HTTP status.
  case refused(String, status: Int)
  /// The server redirected the request more than `limit` times.
  case redirected(String, limit: Int)
  /// The content at the address is not sound; `kind` is its kind.
  case notSound(String, kind: ForeignContent)
  /// The sound can be played only after a complete download, but it is endless or too long.
  case notPlayable(String, reason: String)
  /// The playlist of an HLS stream cannot be used; `reason` is the fault.
  case badPlaylist(String, reason: String)
  /// The server repeatedly sent fewer bytes than it had stated; both numbers are in bytes.
  case endsEarly(String, received: Int64, promised: Int64)
  /// The file has changed since the transfer started.
  case changed(String)
  /// The server does not support range requests, so that seeking, and continuing after a lost
  /// connection, are not possible.
  case givesNoParts(String)
  /// The start position is at or after the end of the sound; both are in seconds.
  case beyondEnd(String, start: Double, seconds: Double)
  /// A file for a copy, or a temporary file, cannot be created or written, or a pipe or file cannot
  /// be opened.
  case cannotKeep(path: String, reason: String)
}

extension HTTPError: CustomStringConvertible {
  /// The message for the user.
  public var description: String {
    switch self {
    case .libraryMissing: "libcurl: not installed (\(SystemPackage.curl.installation()))"
    case .badAddress(let text):
      "'\(text)': not a web address (example: http://radio.example/live.mp3)"
    case .cannotStart(let code): "http: cannot start: \(Self.reason(code))"
    case .unreachable(let address, let reason): "\(address): cannot be reached: \(reason)"
    case .stalled(let address, let time):
      "\(address): no data received for \(Self.text(time)) (try again later)"
    case .notSecure(let address, let reason): "\(address): no secure connection: \(reason)"
    case .refused(let address, let status):
      "\(address): the server answered \(status)" + Self.meaning(status)
    case .redirected(let address, let limit):
      "\(address): more than \(limit) redirects"
    case .notSound(let address, let kind):
      "\(address): not sound, but \(kind.rawValue) (use the address of the stream itself)"
    case .notPlayable(let address, let reason):
      "\(address): \(reason) (streams can be MP3, AAC, Ogg, FLAC, MP4 or HLS)"
    case .badPlaylist(let address, let reason): "\(address): HLS playlist: \(reason)"
    case .endsEarly(let address, let received, let promised):
      "\(address): incomplete, received \(received) of \(promised) bytes"
    case .changed(let address): "\(address): the file changed while it was read (start again)"
    case .givesNoParts(let address):
      "\(address): cannot seek; the server does not support range requests"
    case .beyondEnd(let address, let start, let seconds):
      "\(address): the start, \(Self.text(start)), is at or after the end, \(Self.text(seconds))"
    case .cannotKeep(let path, let reason): "\(path): cannot save the stream: \(reason)"
    }
  }

  /// The error for too many consecutive bytes without sound.
  static func soundless(_ name: String, _ byteCount: Int64) -> HTTPError {
    .notPlayable(name, reason: "no sound in \(byteCount >> 20) MiB")
  }

  /// True if a later attempt can succeed.
  var isPassing: Bool {
    switch self {
    case .unreachable, .stalled, .endsEarly: true
    case .refused(_, let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// True if the server does not find the address (status 404).
  var isAbsence: Bool {
    if case .refused(_, 404) = self { true } else { false }
  }

  /// The system's message for an error number.
  static func reason(_ code: Int32) -> String {
    guard code != 0, let text = unsafe strerror(code) else { return "not enough memory" }
    return unsafe String(cString: text).lowercased()
  }

  private static func text(_ seconds: Double) -> String {
    let tenths = (min(max(0, seconds), 1e9) * 10).rounded() / 10
    return "\(tenths) s"
  }

  private static func text(_ time: Duration) -> String {
    let milliseconds = time.milliseconds
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  private static func meaning(_ status: Int) -> String {
    switch status {
    case 401, 407: ", user name and password required"
    case 403: ", forbidden"
    case 404, 410: ", not found"
    case 429: ", too many requests"
    case 500...599: ", server error"
    default: ""
    }
  }
}

extension Duration {
  /// Milliseconds, rounded down and clamped to the range of `Int32`.
  var milliseconds: Int {
    let (seconds, parts) = components
    return Int(min(Int64(Int32.max), max(0, seconds)) * 1_000 + parts / 1_000_000_000_000_000)
  }
}
