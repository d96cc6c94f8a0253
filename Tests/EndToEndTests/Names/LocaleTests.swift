// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The text of the command in a locale without UTF-8.
@Suite struct LocaleTests {
  private let scratch: ScratchFolder
  private let song: String

  init() throws {
    scratch = try ScratchFolder()
    let events: [(delta: Int, bytes: [UInt8])] = [
      (0, [0xFF, 3, 7] + Array("Grüße".utf8)), (0, [0xFF, 5, 3] + Array("lü".utf8)),
      (0, [0xFF, 0x59, 2, 0xFD, 0]), (0, [0x90, 60, 100]), (480, [0x90, 64, 100]),
      (480, [0x80, 60, 64]), (0, [0x80, 64, 64]),
    ]
    song = try scratch.write("a – ü.mid", SongBytes.file(events))
  }

  private func run(_ words: String..., locale: String = "C") throws -> CommandRun {
    try CommandRun(
      words.map { $0 == "SONG" ? song : $0 }, environment: ["LC_ALL": locale],
      folder: scratch.url)
  }

  private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  @Test(arguments: [
    ["play", "--help-all"], ["edit", "--help"], ["help", "keys"], ["ctl", "--help-all"],
    ["convert", "1/3s"], ["convert", "--table", "2", "--tempo", "97"],
    ["play", "SONG", "--transpose", "999"], ["info", "SONG"],
    ["new", "a: @program 999 c4", "-o", "no.mid"],
  ])
  func `text is ASCII in the C locale`(words: [String]) throws {
    let plain = try scratch.write("plain.mid", FileContent.data(song).map { $0 })
    let words = words.map { $0 == "SONG" ? plain : $0 }
    for locale in ["C", "POSIX", "de_DE.ISO-8859-1"] {
      let run = try CommandRun(words, environment: ["LC_ALL": locale], folder: scratch.url)
      #expect(isASCII(run.text) && isASCII(run.errors), "\(words): \(run.text)\(run.errors)")
    }
    let wide = try CommandRun(words, environment: ["LC_ALL": "C.UTF-8"], folder: scratch.url)
    #expect(!isASCII(wide.text) || !isASCII(wide.errors), "\(words)")
  }

  @Test func `signs become similar ones, and letters question marks`() throws {
    let info = try run("info", "SONG")
    #expect(info.text.contains("C4-E4 (60-64)"), "\(info.text)")
    #expect(info.text.contains("Eb major"), "\(info.text)")
    #expect(info.text.contains("Gr??e") && !info.text.contains("Grüße"), "\(info.text)")
    #expect(try run("info", "SONG", locale: "C.UTF-8").text.contains("Grüße"))
    #expect(try run("convert", "1/3s").text.contains("~"))
    #expect(try run("events", "SONG").text.contains("Gr??e"))
  }

  @Test func `names of files keep their bytes`() throws {
    #expect(try run("info", "SONG").text.hasPrefix("\(song): MIDI"))
    #expect(try run("info", "a – ü.mid").text.hasPrefix("a – ü.mid: MIDI"))
    let missing = try run("info", "nein – ö.mid")
    #expect(missing.errors.contains("nein – ö.mid: "), "\(missing.errors)")
    let output = try run("edit", "SONG", "--output=neu ä.mid", "--do", "reverse")
    #expect(output.status == 0, "\(output.errors)")
    let again = try run("edit", "SONG", "--output=neu ä.mid", "--do", "reverse")
    #expect(again.errors.contains("neu ä.mid: already exists"), "\(again.errors)")
  }

  @Test(arguments: [
    ["info", "--json", "SONG"], ["events", "--jsonl", "SONG"], ["events", "--csv", "SONG"],
    ["lyrics", "SONG"], ["lyrics", "--lrc", "SONG"], ["lyrics", "--json", "SONG"],
    ["edit", "SONG", "-o", "-", "--do", "reverse"], ["plot", "SONG", "-o", "-", "--format", "svg"],
  ])
  func `JSON and the contents of files do not depend on the locale`(words: [String]) throws {
    let words = words.map { $0 == "SONG" ? song : $0 }
    let runs = try ["C", "C.UTF-8"].map {
      try CommandRun(words, environment: ["LC_ALL": $0], folder: scratch.url).output
    }
    #expect(runs[0] == runs[1] && !runs[0].isEmpty)
  }
}
