// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `soundfont trim` and `edit --embed` at the command line.
@Suite struct TrimCommandTests {
  private let scratch: ScratchFolder
  private let font: String
  private let song: String

  init() throws {
    scratch = try ScratchFolder()
    font = try scratch.write("font.sf2", TinySoundFont.with([.init(0, 5), .init(0, 6)]))
    song = try scratch.write("song.mid", SongBytes.notes(2, every: 240, program: 5))
  }

  /// Runs a command on a machine whose default font is the project's.
  private func command(_ words: [String]) throws -> CommandRun {
    try CommandRun(words, environment: ["DOWNBEAT_SOUNDFONT": "Soundfonts/Downbeat.sf2"])
  }

  private func trim(_ words: [String]) throws -> CommandRun {
    try command(["soundfont", "trim"] + words)
  }

  private func presets(_ path: String) throws -> String {
    try command(["soundfont", "presets", path]).text
  }

  /// The samples of a song.
  private func sound(
    _ song: String, _ words: [String] = [], gain: [String] = ["--absolute-gain", "50%"]
  ) throws -> [[Float]] {
    let output = scratch.path("sound.wav")
    let run = try command(
      ["render", song, "-o", output, "--overwrite", "--bits", "float"] + gain + words)
    #expect(run.status == 0, "\(run.errors)")
    return try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: output)))).channels
  }

  // MARK: Trim

  @Test func `a font is trimmed to the programs of a song and reported`() throws {
    let small = scratch.path("small.sf2")
    let run = try trim([font, "--song", song, "-o", small])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.isEmpty)
    #expect(run.errors.contains("small.sf2: 1 of 5 presets, 1 of 1 sample,"), "\(run.errors)")
    #expect(run.errors.contains("neither copyright nor comment; many licences forbid copying"))
    #expect(try presets(small) == "  0   6  0:5\n")
    #expect(try sound(song, ["-s", small]) == sound(song, ["-s", font]))
    // Automatic loudness measures the presets.
    let gain = ["--gain", "0dB"]
    #expect(try sound(song, ["-s", small], gain: gain) == sound(song, ["-s", font], gain: gain))
  }

  @Test func `several songs and a folder of songs count together`() throws {
    let small = scratch.path("small.sf2")
    try FileManager.default.createDirectory(
      atPath: scratch.path("songs"), withIntermediateDirectories: true)
    _ = try scratch.write("songs/other.mid", SongBytes.notes(1, every: 240, program: 1))
    let run = try trim([
      font, "--song", song, "--song", scratch.path("songs"), "-o", small, "-q",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(try presets(small) == "  0   2  Octave\n  0   6  0:5\n")
  }

  @Test func `a copyright is printed and kept`() throws {
    let own = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let small = scratch.path("small.sf2")
    let run = try trim([own, "--song", song, "-o", small])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("copyright: "), "\(run.errors)")
    #expect(!run.errors.contains("many licences"))
    let info = try command(["soundfont", "info", small]).text
    #expect(info.contains("copyright"), "\(info)")
  }

  @Test func `JSON has the counts and the rights`() throws {
    let run = try trim([font, "--song", song, "-o", scratch.path("small.sf2"), "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let line = try #require(run.text.split(separator: "\n").last)
    #expect(line.contains("\"type\":\"written\""))
    #expect(line.contains("\"kind\":\"sf2\""))
    #expect(line.contains("\"presets\":1,\"samples\":1,\"fonts\":[{\"path\":"))
    #expect(line.contains("\"copyright\":null,\"comment\":null"))
  }

  @Test func `an existing file is not replaced, and the font itself never`() throws {
    let there = try scratch.write("there.sf2", [1, 2, 3])
    let run = try trim([font, "--song", song, "-o", there])
    #expect(run.status == 73, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: there)).count == 3)
    #expect(try trim([font, "--song", song, "-o", there, "--overwrite"]).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: font))
    let itself = try trim([font, "--song", song, "-o", font, "--overwrite"])
    #expect(itself.status == 73)
    #expect(itself.errors.contains("is also the input"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: font)) == before)
  }

  @Test func `usage errors contain a remedy`() throws {
    for (words, status, advice) in [
      ([font, "-o", "x.sf2"], 64, "--song song.mid"),
      ([song, "--song", song, "-o", "x.sf2"], 64, "a song, not a soundfont"),
      ([font, "--song", song, "-o", "x.mid"], 64, "edit --embed"),
      ([font, "--song", "none.mid", "-o", "x.sf2"], 66, "none.mid"),
      (["none", "--song", song, "-o", "x.sf2"], 78, "no such soundfont"),
    ] as [([String], Int32, String)] {
      let run = try trim(words)
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.errors.contains(advice), "\(words): \(run.errors)")
    }
    let empty = try scratch.write("empty.mid", SongBytes.file([]))
    let run = try trim([font, "--song", empty, "-o", scratch.path("none.sf2")])
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none.sf2")))
  }

  // MARK: Compressed samples

  @Test func `the name of the output or --vorbis compresses the samples`() throws {
    let small = scratch.path("small.sf3")
    let run = try trim([font, "--song", song, "-o", small, "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("\"kind\":\"sf3\""))
    #expect(try command(["soundfont", "check", small]).status == 0)
    let whole = try sound(song, ["-s", font])[0]
    let compressed = try sound(song, ["-s", small])[0]
    #expect(compressed.count == whole.count)
    let difference = zip(whole, compressed).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    let peak = whole.reduce(0) { max($0, abs($1)) }
    #expect(peak > 0.01 && difference < peak / 4, "\(difference) of \(peak)")
    let output = scratch.path("song.rmi")
    let embed = try command(["edit", song, "--embed", "--vorbis", "-s", font, "-o", output])
    #expect(embed.status == 0, "\(embed.errors)")
    #expect(try sound(output)[0] == compressed)
  }

  @Test func `options of compression that do not fit are refused`() throws {
    for (words, advice) in [
      (["-o", "x.sf2", "--vorbis"], "try -o x.sf3"),
      (["-o", "x.sf2", "--vorbis-quality", "0.5"], "try -o x.sf3"),
      (["-o", "x.sf3", "--vorbis-quality", "2"], "must be 0…1"),
    ] {
      let run = try trim([font, "--song", song] + words)
      #expect(run.status == 64, "\(run.errors)")
      #expect(run.errors.contains(advice), "\(run.errors)")
    }
    let small = scratch.path("small.sf3")
    #expect(try trim([font, "--song", song, "-o", small]).status == 0)
    let back = try trim([small, "--song", song, "-o", scratch.path("back.sf2")])
    #expect(back.status == 64)
    #expect(back.errors.contains("back.sf3"))
  }

  @Test func `convert writes a font as it is, or compressed`() throws {
    let (copy, compressed) = (scratch.path("copy.sf2"), scratch.path("small.sf3"))
    let run = try command(["soundfont", "convert", font, "-o", copy])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("5 of 5 presets"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: font))
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
    #expect(try command(["soundfont", "convert", font, "-o", compressed, "-q"]).status == 0)
    #expect(try presets(compressed) == presets(font))
    let wrong = try command(["soundfont", "convert", font, "-o", "x.wav"])
    #expect(wrong.status == 64)
    let back = try command(["soundfont", "convert", compressed, "-o", scratch.path("b.sf2")])
    #expect(back.status == 64)
  }

  // MARK: Embed

  @Test func `a song with its sounds plays as with the font`() throws {
    let output = scratch.path("song.rmi")
    let run = try command(["edit", song, "--embed", "-s", font, "-o", output])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("1 of 5 presets"), "\(run.errors)")
    #expect(run.errors.contains("many licences forbid copying"))
    #expect(try sound(output) == sound(song, ["-s", font]))
  }

  @Test func `two fonts become one bank, with a program that neither has`() throws {
    let other = try scratch.write("other.sf2", TinySoundFont.bytes)
    let song = try scratch.write(
      "two.mid",
      SongBytes.file([
        (0, [0xB0, 0, 8]), (0, [0xC0, 1]), (0, [0x90, 60, 100]), (0, [0xC1, 5]),
        (0, [0x91, 62, 100]), (0, [0xB2, 0, 3]), (0, [0xC2, 6]), (0, [0x92, 64, 100]),
        (480, [0x80, 60, 0]), (0, [0x81, 62, 0]), (0, [0x82, 64, 0]),
      ]))
    let fonts = ["-s", "\(other),bank=8", "-s", font]
    let output = scratch.path("two.rmi")
    let run = try command(["edit", song, "--embed", "-o", output] + fonts)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sound(output) == sound(song, fonts))
  }

  @Test func `an embedded song is edited, and its bank is embedded again`() throws {
    let (once, twice) = (scratch.path("once.rmi"), scratch.path("twice.rmi"))
    #expect(try command(["edit", song, "--embed", "-s", font, "-o", once]).status == 0)
    #expect(try command(["edit", once, "--embed", "-o", twice]).status == 0)
    #expect(try sound(twice) == sound(once))
  }

  @Test func `the file that is written is an RMID file`() throws {
    let wrong = try command(["edit", song, "--embed", "-s", font, "-o", "x.mid"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("try -o x.rmi"))
    let lonely = try command(["edit", song, "-s", font, "-o", "x.mid"])
    #expect(lonely.status == 64)
    #expect(lonely.errors.contains("add --embed"))
    let run = try command(
      ["edit", song, "--embed", "-s", font, "-o", scratch.path("x.rmi"), "--json"])
    #expect(run.text.contains("\"kind\":\"rmid\""))
    #expect(run.text.contains("\"presets\":1"))
  }
}
