// SPDX-License-Identifier: Apache-2.0

/// What is written in a playlist, line by line: M3U (`.m3u`, `.m3u8`) or PLS.
///
/// Lines end with LF, CR and LF, or CR; a byte order mark is passed over. A line that is no UTF-8 is
/// taken for Latin-1. There is no error: whatever is no entry is a remark.
///
/// - Complexity: O(n) in the bytes; a line is looked at when it is reached.
package struct PlaylistText: Sequence, IteratorProtocol {
  /// How a playlist is written.
  package enum Form: Sendable {
    /// A line an entry; `#` begins a remark.
    case m3u
    /// A line `File1=…` an entry; what else there is says nothing that is needed.
    case pls
  }

  /// What one line names.
  package struct Item: Equatable {
    /// A path or an address, as it is written.
    package let name: String
    /// What the list calls it; empty where it does not say.
    package let title: String
    /// The line, from 1.
    package let line: Int
  }

  /// The most bytes of a line that are read: every letter of the longest path, each written as %41.
  private static let longest = 3 * 4096 + 64
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let form: Form
  private let bytes: [UInt8]
  private var offset: Int
  /// The number of the line that was looked at last; 0 before the first.
  package private(set) var line = 0
  private var title = ""

  package init(_ bytes: [UInt8], _ form: Form) {
    self.bytes = bytes
    self.form = form
    offset = bytes.starts(with: Self.mark) ? Self.mark.count : 0
  }

  /// The form of a playlist's file by its suffix; nil for another file.
  package static func form(of path: String) -> Form? {
    let name = path.suffix(5).lowercased()
    if name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") { return .m3u }
    return name.hasSuffix(".pls") ? .pls : nil
  }

  package mutating func next() -> Item? {
    while let text = nextLine() {
      if let name = form == .m3u ? nameInM3U(text) : nameInPLS(text), !name.isEmpty {
        defer { title = "" }
        return Item(name: name, title: title, line: line)
      }
    }
    return nil
  }

  /// Whether the last line was looked at.
  package var isAtEnd: Bool { offset >= bytes.count }

  private mutating func nextLine() -> String? {
    guard offset < bytes.count else { return nil }
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    defer {
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      offset = end + (isPair ? 2 : 1)
    }
    line += 1
    guard end > offset else { return "" }
    return Self.text(Self.trimmed(bytes[offset..<Swift.min(end, offset + Self.longest)]))
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
    return bytes[...last].drop(while: isBlank)
  }

  /// The text of bytes: UTF-8, or else Latin-1, which takes any.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private mutating func nameInM3U(_ text: String) -> String? {
    guard text.utf8.first == 0x23 else { return text }
    let start = "#EXTINF:"
    if text.prefix(start.count).uppercased() == start {
      // Seconds, a comma, and the title.
      title = text.firstIndex(of: ",").map { String(text[text.index(after: $0)...]) } ?? ""
    }
    return nil
  }

  private func nameInPLS(_ text: String) -> String? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let key = text[..<equals].lowercased()
    guard key.hasPrefix("file"), Int(key.dropFirst(4)) != nil else { return nil }
    return String(text[text.index(after: equals)...])
  }
}
