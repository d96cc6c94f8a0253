// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct TextDecoderTests {
  /// A song with texts of one type.
  private func song(
    _ texts: [[UInt8]], type: MetaEvent.TextType = .lyric
  ) throws -> [MusicSequence] {
    var track = MusicTrack()
    for (index, text) in texts.enumerated() {
      try track.insert(.meta(MetaEvent(type: type.rawValue, bytes: text)), at: Tick(Int64(index)))
    }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    return [sequence]
  }

  /// Returns the bytes of a text in an encoding, as converted by the iconv of the system.
  private func bytes(_ text: String, in encoding: String) throws -> [UInt8] {
    let run = try ToolRun(
      ["-f", "UTF-8", "-t", encoding], input: Data(text.utf8), command: "/usr/bin/iconv")
    try #require(run.status == 0, "\(encoding): \(run.errors)")
    return Array(run.output)
  }

  /// Splits a text at random, as lyrics are split, also within a character.
  private func pieces(_ bytes: [UInt8], of length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map {
      Array(bytes[$0..<min($0 + length, bytes.count)])
    }
  }

  @Test func `of forty texts in twelve encodings at most one is not recognised`() throws {
    #expect(EncodingTable.texts.count == 40)
    #expect(Set(EncodingTable.texts.map(\.encoding)).count == 12)
    var wrong: [String] = []
    for (encoding, text) in EncodingTable.texts {
      #expect(text.count(where: \.isLetter) >= 20, "\(text)")
      let bytes = try bytes(text, in: encoding)
      let decoder = try TextDecoder(guessingFrom: song([bytes], type: .trackName))
      guard decoder.text(bytes) != text else { continue }
      wrong.append(encoding)
      #expect(encoding != "CP1252", "\(text): \(decoder.encoding)")
    }
    #expect(wrong.count <= 1, "\(wrong)")
  }

  @Test func `characters that are split between events are joined`() throws {
    for (encoding, text) in EncodingTable.texts where encoding != "UTF-16" {
      let bytes = try bytes(text, in: encoding)
      let whole = try TextDecoder(guessingFrom: song([bytes]))
      for length in [1, 2, 3, 5] {
        let pieces = pieces(bytes, of: length)
        let decoder = try TextDecoder(guessingFrom: song(pieces))
        #expect(decoder.encoding == whole.encoding)
        #expect(decoder.texts(pieces).joined() == whole.text(bytes), "\(encoding), \(length)")
      }
    }
  }

  @Test(arguments: [
    "UTF-16LE", "utf-16be", "UTF-16", "UTF-32LE", "ISO-2022-JP", "ISO-2022-KR", "UTF-7", "EUC-JP",
    "GB18030", "SHIFT-JIS", "latin1", "KOI8-U", "BIG5-HKSCS", "CP1258", "MACINTOSH",
  ]) func `every encoding of iconv can be named, whole and in pieces`(encoding: String) throws {
    let texts = [
      "ISO-2022-KR": "아리랑 고개", "latin1": "Grüße", "KOI8-U": "Ще не вмерла", "CP1258": "Việt ôm",
      "MACINTOSH": "œuvre – été", "BIG5-HKSCS": "明月幾時有",
    ]
    let text = texts[encoding] ?? "春が来た abc"
    let decoder = try #require(TextDecoder(named: encoding))
    #expect(!decoder.isGuessed)
    let bytes = try bytes(text, in: encoding)
    #expect(Self.composed(decoder.text(bytes)) == text)
    for length in 1...3 {
      #expect(
        Self.composed(decoder.texts(pieces(bytes, of: length)).joined()) == text, "\(length)")
    }
  }

  /// In code page 1258, Vietnamese accents follow their letters.
  private static func composed(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping
  }

  @Test func `what iconv does not know is not a name`() {
    for name in ["klingon", "", "//", "utf-9", "CP1252 ", "CP1252//IGNORE"] {
      #expect(TextDecoder(named: name) == nil)
    }
    #expect(TextDecoder(named: "CP1252//") != nil)
  }

  @Test(
    arguments: [
      // Two umlauts in a DOS encoding must not be read as kanji.
      ([[0x8D, 0xF7]], "CP1252", "\u{FFFD}÷"), ([[0x81, 0x84], [0x94]], "CP1252", "\u{FFFD}„"),
      ([[0x93, 0x6F, 0x94, 0x85]], "CP1252", "“o”…"), ([[0x41]], "US-ASCII", "A"),
      ([[0xC3, 0xA9]], "UTF-8", "é"), ([[0xEF, 0xBB, 0xBF, 0x41]], "UTF-8", "A"),
      ([[0xFF, 0xFE, 0x41, 0]], "UTF-16", "A"), ([[0xFE, 0xFF, 0x04, 0x10]], "UTF-16", "А"),
    ] as [([[UInt8]], String, String)])
  func `a few bytes are Windows-1252, and byte order marks mean Unicode`(
    texts: [[UInt8]], encoding: String, first: String
  ) throws {
    let decoder = try TextDecoder(guessingFrom: song(texts, type: .marker))
    #expect(decoder.text(texts[0]) == first)
    #expect(decoder.encoding == encoding)
    #expect(decoder.isGuessed == (encoding == "CP1252"))
  }

  @Test func `one text in UTF-8 does not change how the others are decoded`() throws {
    let title = Array("Große Fuge – für Streicher".utf8)
    let words = try bytes("Расцветали яблони и груши", in: "KOI8-R")
    var sequences = try song([title], type: .trackName)
    sequences[0].tracks += try song([words])[0].tracks
    let decoder = TextDecoder(guessingFrom: sequences)
    #expect(decoder.encoding == "KOI8-R")
    #expect(decoder.text(title) == "Große Fuge – für Streicher")
    #expect(decoder.encoding(of: title) == "UTF-8")
    #expect(decoder.text(words) == "Расцветали яблони и груши")
  }

  @Test func `a syllable that happens to be UTF-8 is decoded like its neighbours`() throws {
    // 模 is C4 A3 in GBK, ģ in UTF-8.
    let words = try "模糊的记忆中你的模样还在我的心里".map { try bytes("\($0)", in: "GBK") }
    let decoder = try TextDecoder(guessingFrom: song(words))
    #expect(decoder.encoding == "GBK")
    #expect(decoder.texts(words).joined() == "模糊的记忆中你的模样还在我的心里")
    #expect(decoder.text(words[0]) == "模")
  }

  @Test func `a short title in UTF-8 is decoded correctly among texts in other encodings`() throws {
    let words = try ["CP1251", "KOI8-R", "CP932"].map { encoding in
      try bytes(encoding == "CP932" ? "はるのうららの" : "Расцветали яблони", in: encoding)
    }
    for words in words {
      let decoder = try TextDecoder(guessingFrom: song([words]))
      for title in ["für", "Größe", "été"] { #expect(decoder.text(Array(title.utf8)) == title) }
    }
  }

  @Test func `any bytes give a text, in any encoding, in a short time`() throws {
    var random = SplitMix(seed: 4)
    let names = ["CP932", "UTF-16LE", "ISO-2022-JP", "UTF-7", "EUC-KR", "UTF-8", "CP1258"]
    for round in 0..<200 {
      let bytes = (0..<Int.random(in: 1...300, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let texts = pieces(bytes, of: 1 + round % 7)
      for name in names {
        let decoder = try #require(TextDecoder(named: name))
        #expect(decoder.texts(texts).count == texts.count)
      }
      #expect(try TextDecoder(guessingFrom: song(texts)).texts(texts).count == texts.count)
    }
  }
}
