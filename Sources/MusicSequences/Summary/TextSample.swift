// SPDX-License-Identifier: Apache-2.0

/// The texts of a file from which its encoding can be guessed, without those whose encoding is
/// certain.
///
/// Texts of one type in one track are examined together, because a character can begin in one event
/// and end in the next: lyrics are often split into syllables.
public struct TextSample: Sendable {
  /// The bytes of texts that are neither ASCII nor UTF-8, at most `limit` bytes.
  ///
  /// A line feed is added after each text that cannot continue in the next event.
  public private(set) var bytes: [UInt8] = []
  /// True if some texts are UTF-8 but not ASCII.
  public private(set) var hasUTF8 = false
  /// True if some texts have a byte order mark of UTF-16.
  public private(set) var hasUTF16 = false

  /// The maximum number of bytes that are examined: 64 KiB in a file, and 64 KiB in the texts of
  /// one type in one track.
  public static let limit = 1 << 16

  /// Collects the texts of the sequences of a file.
  ///
  /// - Parameter sequences: All sequences of the file.
  /// - Complexity: O(n) in the events.
  public init(_ sequences: [MusicSequence]) {
    for track in sequences.lazy.flatMap(\.tracks) {
      var runs: [UInt8: [[UInt8]]] = [:]
      var sizes: [UInt8: Int] = [:]
      for record in track.records where Self.isText(record) {
        let size = sizes[record.data1, default: 0]
        let text = track.payloads.payload(of: record)
        // Part of a text would not be valid UTF-8.
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
    // The remaining bytes may be only ASCII.
    if !bytes.contains(where: { $0 >= 0x80 }) { bytes = [] }
  }

  private static func isForeign(_ text: [UInt8]) -> Bool { text.contains { $0 >= 0x80 } }
}

extension MetaText {
  /// True if the bytes are certainly Unicode.
  ///
  /// This is the case if they have a byte order mark, or if they are valid UTF-8 with more than
  /// three characters outside ASCII, or with two characters of at least three bytes.
  ///
  /// In EUC, GBK, Big5, Shift-JIS and Cyrillic encodings, one to three characters can be valid
  /// UTF-8 by chance: one in seven pairs of GB 2312 characters is, and so is Ні in Windows-1251.
  ///
  /// - Complexity: O(n).
  public var isSurelyUnicode: Bool {
    guard encoding == .utf8 else { return encoding == .utf16 }
    guard !hasByteOrderMark else { return true }
    let leads = bytes.filter { $0 >= 0xC0 }
    return leads.count > 3 || leads.count(where: { $0 >= 0xE0 }) > 1
  }
}
