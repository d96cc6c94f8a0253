// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences

/// Guesses the most likely encoding of texts that do not show it.
///
/// The texts are decoded in each encoding, and models of the languages that use the encoding
/// compute the number of bits that the text needs. Bytes without a character in the encoding are
/// costly; more than one in 25 exclude it. Texts with too few bytes beyond ASCII are decoded as
/// Windows-1252.
enum EncodingGuess {
  /// The encoding of texts that are too short for a guess.
  static let usual = "CP1252"
  /// The fewest bytes beyond ASCII for a guess.
  static let fewestBytes = 6
  /// The maximum number of bytes that are decoded in each encoding.
  private static let mostBytes = 1 << 12

  /// The name of the most likely encoding, as in iconv.
  ///
  /// - Parameter bytes: All texts of a file, joined.
  /// - Returns: One of CP1252, CP1250, CP437, CP1251, KOI8-R, CP932, EUC-JP, EUC-KR, GBK, Big5.
  /// - Complexity: O(n); at most 4 KiB are decoded.
  static func encoding(of bytes: [UInt8]) -> String {
    guard bytes.count(where: { $0 >= 0x80 }) >= fewestBytes else { return usual }
    let bytes = Array(bytes.prefix(mostBytes))
    var best = (encoding: usual, bits: Double.infinity)
    for candidate in candidates {
      guard let text = text(bytes, in: candidate.encoding) else { continue }
      for model in candidate.models {
        let bits = model.bits(of: text) + candidate.handicap
        if bits < best.bits { best = (candidate.encoding, bits) }
      }
    }
    return best.encoding
  }

  /// The text in an encoding; nil if too many bytes are invalid in it.
  private static func text(_ bytes: [UInt8], in encoding: String) -> [Glyph]? {
    guard encoding != usual else {
      return MetaText(bytes, as: .windows1252).string.unicodeScalars.map(Glyph.init)
    }
    do {
      // Standard EUC-KR: the 8,822 syllables that Windows adds are rare, and resemble Shift-JIS.
      var handle = try IconvHandle(encoding)
      let text = handle.text(bytes, isLast: true)
      guard handle.illegalCount * 25 <= bytes.count else { return nil }
      return text.unicodeScalars.map(Glyph.init)
    } catch {
      // Some systems have rare encodings in a separate package.
      return nil
    }
  }

  /// An encoding, a number of bits that is added to its result, and the languages that use it.
  private typealias Candidate = (encoding: String, handicap: Double, models: [LanguageModel])

  private static let candidates: [Candidate] = {
    let japanese = [
      LanguageModel("Japanese", .japanese, japaneseGroups),
      LanguageModel("Japanese, half-width", .japanese, halfWidthGroups),
    ]
    let russian = model("Russian", .cyrillic, LetterRanks.russian, share: 0.98)
    let ukrainian = model("Ukrainian", .cyrillic, LetterRanks.ukrainian, share: 0.98)
    let western = LetterRanks.western.map { model($0.name, .western, $0.letters, share: 0.93) }
    let central = LetterRanks.central.map { model($0.name, .central, $0.letters, share: 0.93) }
    return [
      (usual, -4, western), ("CP1250", 0, central), ("CP437", 4, dos),
      ("CP1251", 0, [russian, ukrainian]), ("KOI8-R", 0, [russian]), ("CP932", 0, japanese),
      ("EUC-JP", 0, japanese), ("EUC-KR", 0, [LanguageModel("Korean", .korean, koreanGroups)]),
      ("GBK", 0, [chinese(LetterRanks.simplifiedHanzi)]),
      ("Big5", 0, [chinese(LetterRanks.traditionalHanzi)]),
    ]
  }()

  private static func model(
    _ name: String, _ script: LanguageModel.Script, _ letters: String, share: Double
  ) -> LanguageModel {
    LanguageModel(name, script, [(letters, share)])
  }

  /// Code page 437 has the letters of only some western languages.
  private static var dos: [LanguageModel] {
    let languages = ["German", "French", "Spanish", "Italian", "Scandinavian"]
    return LetterRanks.western.filter { languages.contains($0.name) }
      .map { model($0.name, .central, $0.letters, share: 0.93) }
  }

  private static func chinese(_ hanzi: String) -> LanguageModel {
    LanguageModel("Chinese", .chinese, [(hanzi, 0.72), (LetterRanks.chineseMarks, 0.1)])
  }

  private static var japaneseGroups: [LanguageModel.Group] {
    [
      (LetterRanks.hiragana, 0.5), (LetterRanks.katakana, 0.2), (LetterRanks.kanji, 0.2),
      (LetterRanks.japaneseMarks, 0.06), (LetterRanks.halfWidthKatakana, 0.01),
    ]
  }

  private static var halfWidthGroups: [LanguageModel.Group] {
    [
      (LetterRanks.halfWidthKatakana, 0.8), (LetterRanks.katakana, 0.03),
      (LetterRanks.hiragana, 0.03), (LetterRanks.kanji, 0.1),
    ]
  }

  private static var koreanGroups: [LanguageModel.Group] {
    [(LetterRanks.hangul, 0.85), (LetterRanks.koreanMarks, 0.02)]
  }
}
