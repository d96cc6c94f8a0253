// SPDX-License-Identifier: Apache-2.0
internal import FileNames

/// The entries of a playlist, read line by line: M3U (`.m3u`, `.m3u8`) or PLS.
///
/// Lines end with LF, CR LF, or CR. A byte order mark is skipped; that of UTF-16 selects this
/// encoding. A line that is not UTF-8 is read as Latin-1, and its file name keeps the bytes. Errors
/// do not occur: lines that are not entries are ignored.
///
/// - Complexity: O(n) in the bytes; a line is read when it is reached.
package struct PlaylistText: Sequence, IteratorProtocol {
  /// The format of a playlist.
  package enum Form: Sendable {
    /// Each line is an entry, except comments that start with `#`.
    case m3u
    /// Lines `File1=…` are entries; other lines are titles or ignored.
    case pls
  }

  /// An entry of a playlist.
  package struct Item: Equatable {
    /// A path or an address, as it is written.
    package let name: String
    /// The same as a file name, which preserves its bytes.
    package let fileName: String
    /// The title in the list; empty if it is not stated.
    package let title: String
    /// The number of the line, from 1.
    package let line: Int

    /// Creates an item; if `fileName` is nil, it is `name`.
    package init(name: String, fileName: String? = nil, title: String, line: Int) {
      (self.name, self.fileName) = (name, fileName ?? name)
      (self.title, self.line) = (title, line)
    }
  }

  /// The maximum number of bytes of a line: the longest path with each byte written as %41.
  private static let longest = 3 * 4096 + 64
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let form: Form
  private let bytes: [UInt8]
  private var offset: Int
  /// The number of the last line read; 0 before the first.
  package private(set) var line = 0
  private var title = ""

  package init(_ bytes: [UInt8], _ form: Form) {
    self.bytes = Self.fromUTF16(bytes) ?? bytes
    self.form = form
    offset = bytes.starts(with: Self.mark) ? Self.mark.count : 0
  }

  /// The text in UTF-8 if it starts with the byte order mark of UTF-16; otherwise nil.
  private static func fromUTF16(_ bytes: [UInt8]) -> [UInt8]? {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let pair = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The format of a playlist by its file name extension; nil for another file.
  package static func form(of path: String) -> Form? {
    let name = path.suffix(5).lowercased()
    if name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") { return .m3u }
    return name.hasSuffix(".pls") ? .pls : nil
  }

  package mutating func next() -> Item? {
    while let text = nextLine() {
      if let name = form == .m3u ? nameInM3U(text) : nameInPLS(text), !name.isEmpty {
        defer { title = "" }
        return Item(
          name: Self.text(name), fileName: FileName.text(of: name), title: title, line: line)
      }
    }
    return nil
  }

  /// True if the last line was read.
  package var isAtEnd: Bool { offset >= bytes.count }

  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard offset < bytes.count else { return nil }
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    defer {
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      offset = end + (isPair ? 2 : 1)
    }
    line += 1
    return Self.trimmed(bytes[offset..<Swift.min(end, offset + Self.longest)])
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
    return bytes[...last].drop(while: isBlank)
  }

  /// Decodes bytes as UTF-8, or if they are invalid, as Latin-1.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private mutating func nameInM3U(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first == 0x23 else { return line }
    let (text, start) = (Self.text(line), "#EXTINF:")
    if text.prefix(start.count).uppercased() == start {
      // Seconds, a comma, and the title.
      title = text.firstIndex(of: ",").map { String(text[text.index(after: $0)...]) } ?? ""
    }
    return nil
  }

  private func nameInPLS(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let equals = line.firstIndex(of: 0x3D) else { return nil }
    let key = Self.text(line[..<equals]).lowercased()
    guard key.hasPrefix("file"), Int(key.dropFirst(4)) != nil else { return nil }
    return line[(equals + 1)...]
  }
}
