// SPDX-License-Identifier: Apache-2.0

/// The texts of a Core Audio Format file.
///
/// Sources: Apple, Core Audio Format Specification 1.0, "Strings Chunk" and "Information Chunk",
/// and the keys that libsndfile writes.
enum CAFText {
  /// The first bytes of a chunk `uuid` with the texts of an Apple Loop.
  static let loopIdentifier: [UInt8] = [
    0x29, 0x81, 0x92, 0x73, 0xB5, 0xBF, 0x4A, 0xEF, 0xB7, 0x8D, 0x62, 0xD1, 0xEF, 0x90, 0xBB, 0x2C,
  ]

  /// The keys of each tag: Apple's first, then those of other programs.
  static let keys: [(tag: SoundFileMetadata.Tag, names: [String])] = [
    (.title, ["title"]), (.artist, ["artist"]), (.album, ["album"]),
    (.trackNumber, ["track number", "tracknumber", "track"]), (.genre, ["genre"]),
    (.date, ["recorded date", "date", "year"]), (.comment, ["comments", "comment"]),
    (.copyright, ["copyright"]), (.license, ["license"]),
    (.software, ["encoding application", "software", "encoder", "source encoder"]),
  ]

  /// The tag for a key, or nil.
  static func tag(named key: String) -> SoundFileMetadata.Tag? {
    let name = key.lowercased()
    return keys.first { $0.names.contains(name) }?.tag
  }

  /// The keys of a tempo.
  static let tempoKeys: Set = ["tempo", "time signature", "beat count", "root key"]

  /// The tempo from texts with keys in lower case.
  ///
  /// The result is nil without a number of beats per minute and, as in Apple Loops, of beats.
  static func tempo(_ texts: [String: String], seconds: Double?) -> SoundFileMetadata.Tempo? {
    let beats = texts["beat count"].flatMap(Int.init).map { min(max(0, $0), 1 << 30) } ?? 0
    let signature = (texts["time signature"] ?? "").split(separator: "/").compactMap { Int($0) }
    let isStated = signature.count == 2 && signature.allSatisfy { (1...1024).contains($0) }
    let (numerator, denominator) = isStated ? (signature[0], signature[1]) : (4, 4)
    let length = seconds.flatMap { $0 > 0 ? $0 : nil }
    // The beats have the unit of the denominator; the tempo is in quarter notes.
    let counted = length.map { Float(Double(beats * 240) / Double(denominator) / $0) }
    guard let rate = texts["tempo"].flatMap(Float.init) ?? counted, rate.isFinite, rate > 0 else {
      return nil
    }
    return SoundFileMetadata.Tempo(
      beatsPerMinute: rate, beatCount: beats, signature: (numerator, denominator),
      key: texts["root key"].flatMap(UInt8.init).flatMap { $0 < 128 ? $0 : nil })
  }

  /// Reads complete pairs of keys and values, at most 10,000.
  static func pairs(_ content: ArraySlice<UInt8>) -> [(key: String, value: String)] {
    var (pairs, rest) = ([(key: String, value: String)](), content.dropFirst(4))
    for _ in 0..<min(content.number(0, 4) ?? 0, CAFMetadata.countLimit) {
      guard let key = next(&rest), let value = next(&rest) else { break }
      pairs.append((key, value))
    }
    return pairs
  }

  /// The text up to the next zero; nil without a zero.
  private static func next(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// The names by their numbers in a strings chunk, at most 10,000 of at most 4096 bytes.
  static func names(_ content: ArraySlice<UInt8>) -> [UInt32: String] {
    guard let stated = content.number(0, 4) else { return [:] }
    // Each entry has twelve bytes.
    let count = min(stated, CAFMetadata.countLimit, (content.count - 4) / 12)
    let start = 4 + 12 * min(stated, (content.count - 4) / 12)
    var names: [UInt32: String] = [:]
    for index in 0..<count {
      guard let identifier = content.number(4 + 12 * index, 4),
        let offset = content.number(8 + 12 * index, 8), offset < content.count - start
      else { continue }
      let text = content.dropFirst(start + offset).prefix(4096).prefix { $0 != 0 }
      names[UInt32(identifier)] = String(decoding: text, as: UTF8.self)
    }
    return names
  }

  /// The content of a chunk of pairs.
  static func content(_ pairs: [(key: String, value: String)]) -> [UInt8] {
    BigEndian.bytes(pairs.count, 4)
      + pairs.flatMap { ended($0.key) + ended($0.value) }
  }

  /// The content of a strings chunk.
  static func content(_ names: [(identifier: Int, name: String)]) -> [UInt8] {
    var (entries, texts) = ([UInt8](), [UInt8]())
    for (identifier, name) in names {
      entries += BigEndian.bytes(identifier, 4) + BigEndian.bytes(texts.count, 8)
      texts += ended(name)
    }
    return BigEndian.bytes(names.count, 4) + entries + texts
  }

  private static func ended(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0 } + [0] }
}
