// SPDX-License-Identifier: Apache-2.0

/// A frame with text in an ID3v2 tag.
///
/// Sources: ID3 2.2.0, 2.3.0 and 2.4.0, "Text information frames" and "Comments".
struct ID3Frame: Hashable, Sendable {
  /// The kind of text.
  let tag: SoundFileMetadata.Tag
  /// The size of the content in bytes.
  let byteCount: Int
  private let isComment: Bool
  private let isUnsynchronised: Bool
  /// The bytes before the text's encoding: a group and a length.
  private let prefixByteCount: Int

  private static let tags: [String: SoundFileMetadata.Tag] = [
    "TIT2": .title, "TPE1": .artist, "TALB": .album, "TRCK": .trackNumber, "TCON": .genre,
    "TYER": .date, "TDRC": .date, "TCOP": .copyright, "TSSE": .software, "COMM": .comment,
    "TT2": .title, "TP1": .artist, "TAL": .album, "TRK": .trackNumber, "TCO": .genre,
    "TYE": .date, "TCR": .copyright, "TSS": .software, "COM": .comment,
  ]

  /// Reads the header of a frame: 6 bytes in version 2, 10 bytes in versions 3 and 4.
  ///
  /// The result is nil unless the frame is a supported text that is neither compressed nor
  /// encrypted.
  init?(_ head: [UInt8], version: UInt8) {
    let name = MP4Box.latin(head.prefix(version == 2 ? 3 : 4))
    guard let tag = Self.tags[name] else { return nil }
    let flags = version == 2 ? 0 : head[9]
    guard flags & (version == 4 ? 0x0C : 0xC0) == 0 else { return nil }
    self.tag = tag
    byteCount = Self.byteCount(head, version: version)
    isComment = tag == .comment
    isUnsynchronised = version == 4 && flags & 2 != 0
    let hasGroup = flags & (version == 4 ? 0x40 : 0x20) != 0
    prefixByteCount = (hasGroup ? 1 : 0) + (version == 4 && flags & 1 != 0 ? 4 : 0)
  }

  /// The size of a frame's content.
  static func byteCount(_ head: [UInt8], version: UInt8) -> Int {
    version == 2 ? number(head[3..<6], isSafe: false) : number(head[4..<8], isSafe: version == 4)
  }

  /// A number of 8 bits per byte, or of 7 bits if it is synchsafe.
  static func number(_ bytes: ArraySlice<UInt8>, isSafe: Bool) -> Int {
    bytes.reduce(0) { isSafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
  }

  /// The first text of the content; nil if it is empty, or a comment with a name.
  func text(_ content: [UInt8]) -> String? {
    var bytes = content.dropFirst(prefixByteCount)
    if isUnsynchronised {
      bytes = zip(bytes, [0] + bytes).filter { !($0 == 0 && $1 == 0xFF) }.map(\.0)[...]
    }
    guard let encoding = bytes.popFirst(), encoding < 4 else { return nil }
    let isWide = encoding == 1 || encoding == 2
    guard isComment else { return Self.text(bytes, encoding, isWide).first }
    // A language and a name precede the text.
    let texts = Self.text(bytes.dropFirst(3), encoding, isWide, keepsEmpty: true)
    return texts.count > 1 && texts[0].isEmpty && !texts[1].isEmpty ? texts[1] : nil
  }

  /// The texts, which are separated by zeros.
  private static func text(
    _ bytes: ArraySlice<UInt8>, _ encoding: UInt8, _ isWide: Bool, keepsEmpty: Bool = false
  ) -> [String] {
    let texts =
      isWide
      ? words(bytes, isBig: encoding == 2)
        .split(separator: 0, omittingEmptySubsequences: !keepsEmpty)
        .map { String(decoding: unmarked($0), as: UTF16.self) }
      : bytes.split(separator: 0, omittingEmptySubsequences: !keepsEmpty)
        .map { encoding == 0 ? MP4Box.latin($0) : String(decoding: $0, as: UTF8.self) }
    return keepsEmpty ? texts : texts.filter { !$0.isEmpty }
  }

  /// The units of UTF-16 text, whose byte order mark determines their byte order.
  private static func words(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> [UInt16] {
    let isLittle = !isBig && bytes.starts(with: [0xFF, 0xFE])
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
  }

  /// The units without the byte order mark, which can also precede the text of a comment.
  private static func unmarked(_ units: ArraySlice<UInt16>) -> ArraySlice<UInt16> {
    units.first == 0xFEFF ? units.dropFirst() : units
  }
}
