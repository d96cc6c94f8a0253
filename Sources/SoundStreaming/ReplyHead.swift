// SPDX-License-Identifier: Apache-2.0

/// The status and header fields of a reply; after a redirect, those of the last reply.
///
/// Sources: RFC 9110, 5 and 14; RFC 9112, 4; the ICY protocol, which is not documented.
struct ReplyHead: Hashable, Sendable {
  /// The maximum number of fields that are kept.
  private static let fieldLimit = 100
  /// The maximum size of a line that is kept, in bytes.
  private static let lineLimit = 8 << 10

  /// The maximum size of any content, 1 PiB, so that lengths and positions do not overflow.
  static let byteLimit: Int64 = 1 << 50

  /// The HTTP status; 0 before it is known.
  private(set) var status = 0
  /// True if the empty line after the fields was received.
  private(set) var isComplete = false
  private var fields: [String: String] = [:]

  /// Adds a line.
  mutating func take(line: String) {
    let line = line.filter { !$0.isNewline && $0 != "\0" }
    let words = line.split(separator: " ", maxSplits: 2)
    if let protocolName = words.first, protocolName == "ICY" || protocolName.hasPrefix("HTTP/") {
      self = ReplyHead()
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    } else if line.isEmpty {
      isComplete = true
    } else if let colon = line.firstIndex(of: ":"), fields.count < Self.fieldLimit,
      line.utf8.count <= Self.lineLimit
    {
      let value = line[line.index(after: colon)...]
      fields[line[..<colon].lowercased()] = Self.trimmed(value)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }

  /// The value of a field, by its name in lower case; nil if it is missing or empty.
  subscript(name: String) -> String? {
    fields[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The media type, in lower case and without parameters.
  var contentType: String? {
    self["content-type"].map {
      Self.trimmed($0.prefix { $0 != ";" }).lowercased()
    }
  }

  /// The size of the body in bytes; nil if it is missing or invalid.
  var bodyByteCount: Int64? { self["content-length"].flatMap { Self.count($0[...]) } }

  /// The position of a partial body, and the size of the whole in bytes; nil if the body is not
  /// partial.
  var part: (start: Int64, total: Int64?)? {
    guard status == 206, let field = self["content-range"]?.lowercased(),
      field.hasPrefix("bytes ")
    else { return nil }
    let words = field.dropFirst(6).split(separator: "/")
    guard words.count == 2,
      let range = words.first?.split(separator: "-", omittingEmptySubsequences: false),
      range.count == 2,
      let start = Self.count(range[0]), let end = Self.count(range[1]), start <= end
    else { return nil }
    let total = Self.count(words[1])
    return total.map { end < $0 } ?? true ? (start, total) : nil
  }

  /// A number of bytes; nil if it is invalid or too large.
  private static func count(_ text: Substring) -> Int64? {
    Int64(text).flatMap { (0...byteLimit).contains($0) ? $0 : nil }
  }

  /// The number of bytes of sound between two titles; nil if titles are not sent.
  var titleInterval: Int? {
    self["icy-metaint"].flatMap { Int($0) }.flatMap { (1...1 << 24).contains($0) ? $0 : nil }
  }

  /// True for a radio station, which states its name or the interval of titles.
  var isStation: Bool { titleInterval != nil || fields.keys.contains { $0.hasPrefix("icy-") } }

  /// The identifier of this version of a file, except a weak tag; nil if it is missing.
  var version: String? {
    if let tag = self["etag"], !tag.hasPrefix("W/") { return tag }
    return self["last-modified"]
  }
}
