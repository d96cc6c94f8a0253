// SPDX-License-Identifier: Apache-2.0

/// The texts of a file from which its encoding can be guessed: those that do not show it themselves.
///
/// Texts of one type in one track are looked at together, because a character may begin in one event
/// and end in the next: lyrics come syllable by syllable.
public struct TextSample: Sendable {
  /// The bytes that are in neither ASCII nor UTF-8, with the ASCII around them; at most
  /// `limit` bytes, and a line feed after each text that is not a piece of a longer one.
  public private(set) var bytes: [UInt8] = []
  /// Whether some texts are UTF-8 and not ASCII.
  public private(set) var hasUTF8 = false
  /// Whether some texts are UTF-16, by a byte order mark.
  public private(set) var hasUTF16 = false

  /// The most that is looked at of a file, and of the texts of one type in one track: 64 KiB.
  public static let limit = 1 << 16

  /// Collects the texts of the sequences of a file.
  ///
  /// - Parameter sequences: all sequences of the file.
  /// - Complexity: O(n) in the events.
  public init(_ sequences: [MusicSequence]) {
    for track in sequences.lazy.flatMap(\.tracks) {
      var runs: [UInt8: [[UInt8]]] = [:]
      var sizes: [UInt8: Int] = [:]
      for record in track.records where Self.isText(record) {
        let size = sizes[record.data1, default: 0]
        let text = track.payloads.payload(of: record)
        // Cut in two, a text would be UTF-8 no more.
        guard size + text.count <= Self.limit else { continue }
        runs[record.data1, default: []].append(Array(text))
        sizes[record.data1] = size + text.count
      }
      for type in runs.keys.sorted() { add(runs[type] ?? [], type) }
    }
  }

  private static func isText(_ record: EventRecord) -> Bool {
    record.hasPayload && record.status == EventRecord.meta
      && MetaEvent.TextType(rawValue: record.data1) != nil
  }

  /// Adds the texts of one type in one track.
  private mutating func add(_ texts: [[UInt8]], _ type: UInt8) {
    guard texts.contains(where: Self.isForeign) else { return }
    guard String(validating: texts.joined(), as: UTF8.self) == nil else {
      hasUTF8 = true
      return
    }
    let mayBeCut = type == MetaEvent.TextType.lyric.rawValue || type == 1
    for text in texts.map({ MetaText($0) }) {
      if text.encoding == .utf16 {
        hasUTF16 = true
      } else if text.isSurelyUnicode {
        hasUTF8 = true
      } else if bytes.count < Self.limit {
        bytes += text.bytes.prefix(Self.limit - bytes.count)
        if !mayBeCut { bytes.append(0x0A) }
      }
    }
    // What is left of it may be ASCII alone.
    if !bytes.contains(where: { $0 >= 0x80 }) { bytes = [] }
  }

  private static func isForeign(_ text: [UInt8]) -> Bool { text.contains { $0 >= 0x80 } }
}

extension MetaText {
  /// Whether the bytes are Unicode beyond doubt: by a byte order mark, or as valid UTF-8 with more
  /// than three characters beyond ASCII, or two of at least three bytes.
  ///
  /// In EUC, GBK, Big5, Shift-JIS and Cyrillic encodings one to three characters may be valid UTF-8
  /// by chance: of all pairs of GB 2312 every seventh is one, and so is Ні in Windows-1251.
  ///
  /// - Complexity: O(n).
  public var isSurelyUnicode: Bool {
    guard encoding == .utf8 else { return encoding == .utf16 }
    guard !hasByteOrderMark else { return true }
    let leads = bytes.filter { $0 >= 0xC0 }
    return leads.count > 3 || leads.count(where: { $0 >= 0xE0 }) > 1
  }
}
