// SPDX-License-Identifier: Apache-2.0

/// The status and the fields of a reply; of one that sends elsewhere, those of the reply after it.
///
/// Sources: RFC 9110, 5 and 14; RFC 9112, 4; the ICY protocol, which has no document.
struct ReplyHead: Hashable, Sendable {
  /// How many fields are kept of a reply at most.
  private static let fieldLimit = 100
  /// The longest line that is kept, in bytes.
  private static let lineLimit = 8 << 10

  /// The most bytes that anything is believed to have, 1 PiB: with more, reckoned lengths and places
  /// would not fit their numbers.
  static let byteLimit: Int64 = 1 << 50

  /// The status; 0 before there is one.
  private(set) var status = 0
  /// Whether the empty line behind the fields was there.
  private(set) var isComplete = false
  private var fields: [String: String] = [:]

  /// Takes a line, in whatever order they come.
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

  /// A field's value, by its name in lower case; nil where it is not there or empty.
  subscript(name: String) -> String? {
    fields[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The type of what is there, in lower case and without parameters.
  var contentType: String? {
    self["content-type"].map {
      Self.trimmed($0.prefix { $0 != ";" }).lowercased()
    }
  }

  /// The bytes of the body; nil where that is not said, or not a number.
  var bodyByteCount: Int64? { self["content-length"].flatMap { Self.count($0[...]) } }

  /// The part that the body is: where it begins, and of how many bytes in all; nil where it is the
  /// whole or the field is none.
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

  /// A number of bytes; nil where it is none, or of more than there can be.
  private static func count(_ text: Substring) -> Int64? {
    Int64(text).flatMap { (0...byteLimit).contains($0) ? $0 : nil }
  }

  /// Bytes of sound between two titles; nil where none are sent.
  var titleInterval: Int? {
    self["icy-metaint"].flatMap { Int($0) }.flatMap { (1...1 << 24).contains($0) ? $0 : nil }
  }

  /// Whether it is a radio station's: one that says its name or how it sends titles.
  var isStation: Bool { titleInterval != nil || fields.keys.contains { $0.hasPrefix("icy-") } }

  /// What tells this version of a file from another, as a weak tag does not; nil where nothing does.
  var version: String? {
    if let tag = self["etag"], !tag.hasPrefix("W/") { return tag }
    return self["last-modified"]
  }
}
