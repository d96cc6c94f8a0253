// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Texts in the encodings that songs have, and `--encoding`, in the commands that show them.
@Suite struct EncodingTests {
  private typealias Songs = TestSupport.SongBytes

  /// Text as the system's iconv writes it.
  private func bytes(_ text: String, in encoding: String) throws -> [UInt8] {
    let run = try ToolRun(
      ["-f", "UTF-8", "-t", encoding], input: Data(text.utf8), command: "/usr/bin/iconv")
    try #require(run.status == 0, "\(run.errors)")
    return Array(run.output)
  }

  /// A song with a name, lyrics a quarter note apart, a marker and a note.
  private func song(_ words: [[UInt8]], named name: [UInt8] = []) -> Data {
    func meta(_ type: UInt8, _ text: [UInt8]) -> [UInt8] { [0xFF, type, UInt8(text.count)] + text }
    let lyrics = words.map { (delta: 480, bytes: meta(5, $0)) }
    let head = name.isEmpty ? [] : [(delta: 0, bytes: meta(3, name)), (480, meta(6, name))]
    return Data(Songs.file(head + lyrics + [(0, [0x90, 60, 100]), (480, [0x80, 60, 64])]))
  }

  private func document(_ arguments: [String], _ song: Data) throws -> [String: Any] {
    let run = try CommandRun(arguments + ["-"], input: song)
    #expect(run.status == 0, "\(run.errors)")
    let line = run.text.split(separator: "\n").last ?? ""
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any])
  }

  @Test(arguments: [
    ("CP1252", ["l’", "œuvre ", "“ok” ", "– fin"]), ("CP1252", ["„Größe” ", "… ", "naïve ", "€"]),
    ("CP1252", ["¿Qué ", "pa", "só", "? ", "– ", "¡Adiós!"]), ("CP1252", ["Ž", "›", "‹", "Œ"]),
    ("CP1251", ["Вы", "хо", "ди", "ла ", "на ", "бе", "рег "]),
    ("CP1251", ["Ой, ", "мо", "роз, ", "мо", "роз"]), ("KOI8-R", ["Вы", "хо", "ди", "ла ", "на "]),
    ("CP1251", ["НА", "ДЕЖ", "ДА, ", "МОЙ ", "КОМ", "ПАС"]),
    ("CP932", ["は", "るの", "うら", "らの"]), ("GBK", ["月", "亮", "代", "表", "我", "的", "心"]),
  ]) func `lyrics are shown as they were written`(encoding: String, words: [String]) throws {
    let song = song(try words.map { try bytes($0, in: encoding) })
    let run = try CommandRun(["lyrics", "-"], input: song)
    #expect(run.status == 0, "\(run.errors)")
    let line = words.joined().trimmingCharacters(in: .whitespaces)
    #expect(run.text == line + "\n")
    let json = try document(["lyrics", "--json"], song)
    #expect(json["encoding"] as? String == encoding)
    #expect(json["encodingGuessed"] as? Bool == true)
  }

  @Test(arguments: [
    ["Für ", "schön ", "naïve"], ["Mädchen ", "über "], ["Ä", "Ö", "Ü"], ["größer"],
  ]) func `a few letters in a DOS encoding are not read as kanji`(words: [String]) throws {
    let song = song(try words.map { try bytes($0, in: "CP437") })
    let text = try CommandRun(["lyrics", "-"], input: song).text
    #expect(!text.unicodeScalars.contains { (0x3040...0xFFEF).contains($0.value) }, "\(text)")
    let named = try CommandRun(["lyrics", "--encoding", "cp437", "-"], input: song).text
    #expect(named == words.joined().trimmingCharacters(in: .whitespaces) + "\n")
  }

  @Test(arguments: [
    ("utf-16le", ["abc ", "def"]), ("UTF-16BE", ["É", "té"]), ("iso-2022-jp", ["春", "が来"]),
    ("utf-7", ["é", "à"]), ("cp850", ["ñ", "ã"]), ("EUC-TW", ["月亮"]),
  ]) func `every name of iconv is accepted`(encoding: String, words: [String]) throws {
    let song = song(try words.map { try bytes($0, in: encoding) })
    let run = try CommandRun(["lyrics", "--encoding", encoding, "-"], input: song)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text == words.joined() + "\n")
  }

  @Test func `every command that shows texts accepts an encoding`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("song.mid")
    let name = try bytes("Чайка", in: "KOI8-U")
    try song([], named: name).write(to: URL(fileURLWithPath: path))
    for words in [
      ["info", path], ["info", "--json", path], ["events", path], ["events", "--jsonl", path],
      ["plot", path, "-o", "-", "--format", "html"], ["convert", "--song", path, "@Чайка"],
      ["edit", path, "-o", scratch.path("x.mid"), "--do", "transpose 1"],
      ["check", path], ["lyrics", path],
    ] {
      let run = try CommandRun([words[0], "--encoding", "koi8-u"] + words.dropFirst())
      #expect(words[0] == "lyrics" ? run.status == 65 : run.status == 0, "\(words): \(run.errors)")
      let shows = ["info", "events", "plot"].contains(words[0])
      #expect(!shows || run.text.contains("Чайка"), "\(words): \(run.text)")
      let unknown = try CommandRun([words[0], "--encoding", "klingon"] + words.dropFirst())
      #expect(unknown.status == 64)
      #expect(unknown.errors.contains("--encoding klingon: unknown encoding"), "\(unknown.errors)")
    }
  }

  @Test func `a setting names the encoding`() throws {
    let scratch = try ScratchFolder()
    let config = scratch.path("config.toml")
    try Data("encoding = \"cp437\"\n".utf8).write(to: URL(fileURLWithPath: config))
    let song = song([], named: try bytes("Für Elise", in: "CP437"))
    let run = try CommandRun(["info", "-"], input: song, environment: ["DOWNBEAT_CONFIG": config])
    #expect(run.text.contains("1 Für Elise"), "\(run.text)")
    let variable = try CommandRun(
      ["info", "-"], input: song, environment: ["DOWNBEAT_ENCODING": "cp437"])
    #expect(variable.text.contains("1 Für Elise"), "\(variable.text)")
  }

  @Test func `JSON contains the encoding, and if it was guessed`() throws {
    let name = try bytes("Расцветали яблони и груши", in: "CP1251")
    let song = song([], named: name)
    for command in ["info", "check"] {
      let guessed = try document([command, "--json"], song)
      #expect(guessed["textEncoding"] as? String == "CP1251")
      #expect(guessed["textEncodingGuessed"] as? Bool == true)
      let named = try document([command, "--json", "--encoding", "cp1251"], song)
      #expect(named["textEncoding"] as? String == "cp1251")
      #expect(named["textEncodingGuessed"] as? Bool == false)
    }
    let event = try document(["events", "--jsonl", "--kind", "marker"], song)
    #expect(event["text"] as? String == "Расцветали яблони и груши")
    #expect(event["encoding"] as? String == "CP1251")
    #expect(event["guessed"] as? Bool == true)
    let bytes = name.map { String(format: "%02x", $0) }.joined()
    #expect((event["bytes"] as? String)?.lowercased() == bytes)
    #expect(try CommandRun(["info", "-"], input: song).text.contains("CP1251 (guessed"))
  }

  @Test func `byte order marks are not shown`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let song = song([mark + Array("Ho".utf8), mark + Array("-ho".utf8)], named: mark + [0x41])
    #expect(try CommandRun(["info", "-"], input: song).text.contains(" 1 A "))
    #expect(try document(["info", "--json"], song)["trackNames"] as? [String] == ["A"])
    let words = try CommandRun(["lyrics", "-"], input: song).text
    #expect(!words.unicodeScalars.contains("\u{FEFF}"))
  }

  @Test func `a character that two syllables share is shown once`() throws {
    let song = song([[0x82], [0xCD, 0x82], [0xE9, 0x82, 0xCC, 0x82, 0xA4]])
    #expect(try CommandRun(["lyrics", "-"], input: song).text == "はるのう\n")
  }
}
