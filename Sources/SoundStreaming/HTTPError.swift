// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackages

/// Why sound cannot be had from an address.
///
/// No case holds a user, a password or a query.
public enum HTTPError: Error, Hashable, Sendable {
  /// libcurl is not on this machine.
  case libraryMissing
  /// What was given is no address of HTTP.
  case badAddress(String)
  /// No thread or no transfer can be had; the code is an error number, or 0.
  case cannotStart(code: Int32)
  /// The host is not known, nobody listens there, or the connection was lost; in libcurl's words.
  case unreachable(String, reason: String)
  /// Nothing came for so long.
  case stalled(String, after: Duration)
  /// No secure connection can be made, such as by a certificate that nobody vouches for.
  case notSecure(String, reason: String)
  /// The server refuses with a status.
  case refused(String, status: Int)
  /// The server sends from one address to the next, this many times or more.
  case redirected(String, limit: Int)
  /// The content is not sound, but of this kind.
  case notSound(String, kind: ForeignContent)
  /// What is there is sound that cannot be played as it comes, and has no end to wait for, or is too
  /// long to be fetched whole.
  case notPlayable(String, reason: String)
  /// An HLS playlist cannot be used.
  case badPlaylist(String, reason: String)
  /// The server ends before what it said is there, again and again.
  case endsEarly(String, received: Int64, promised: Int64)
  /// What is there is another thing than when it was begun.
  case changed(String)
  /// The server gives no parts: it can be neither gone on with after a cut nor sought in.
  case givesNoParts(String)
  /// The place at which to begin is at the end of the sound, or behind it; both in seconds.
  case beyondEnd(String, start: Double, seconds: Double)
  /// The file for what is received cannot be written.
  case cannotKeep(path: String, reason: String)
}

extension HTTPError: CustomStringConvertible {
  /// The sentence for the user.
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

  /// The error for more bytes in a row without sound than are taken.
  static func soundless(_ name: String, _ byteCount: Int64) -> HTTPError {
    .notPlayable(name, reason: "no sound in \(byteCount >> 20) MiB")
  }

  /// Whether the same may go well a little later.
  var isPassing: Bool {
    switch self {
    case .unreachable, .stalled, .endsEarly: true
    case .refused(_, let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// Whether the server says that there is nothing at an address.
  var isAbsence: Bool {
    if case .refused(_, 404) = self { true } else { false }
  }

  /// The system's words for an error number.
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
  /// Whole milliseconds, rounded down, as many as an `Int32` holds at most.
  var milliseconds: Int {
    let (seconds, parts) = components
    return Int(min(Int64(Int32.max), max(0, seconds)) * 1_000 + parts / 1_000_000_000_000_000)
  }
}
