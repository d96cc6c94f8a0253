// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct SoundFontCommandTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func tiny(_ name: String = "tiny.sf2") throws -> String {
    try scratch.write(name, TinySoundFont.bytes)
  }

  private func run(_ arguments: [String], _ environment: [String: String?] = [:]) throws
    -> CommandRun
  {
    try CommandRun(["soundfont"] + arguments, environment: environment)
  }

  /// The environment of a machine without a font but the one named.
  private func bare(_ font: String? = nil) -> [String: String?] {
    [
      "DOWNBEAT_SOUNDFONT": font, "HOME": scratch.path("home"), "XDG_DATA_HOME": nil,
      "XDG_DATA_DIRS": scratch.path("none"), "SDL_SOUNDFONTS": nil, "SOUND_FONT": nil,
      "SOUNDFONT": nil,
    ]
  }

  @Test func `which names the font and why`() throws {
    let font = try tiny()
    let run = try run(["which"], bare(font))
    #expect(run.status == 0)
    #expect(run.text == font + "\n")
    #expect(run.errors == "\(font): chosen ($DOWNBEAT_SOUNDFONT)\n")
    let quiet = try self.run(["which", "--quiet"], bare(font))
    #expect(quiet.errors.isEmpty)
  }

  @Test func `presets and info show the contents of a font`() throws {
    let font = try tiny()
    #expect(try run(["presets", font]).text == "  0   1  Cosine\n  0   2  Octave\n128   1  Kit\n")
    #expect(try run(["presets", font, "--bank", "128"]).text == "128   1  Kit\n")
    let info = try run(["info", font])
    #expect(info.text.contains("format     SoundFont 2.01"))
    #expect(info.text.contains("presets    2 programs, 1 kits, 0 variations"))
    for command in [["presets", font], ["info", font], ["list", scratch.url.path]] {
      let output = try run(command + ["--json"]).output
      _ = try JSONSerialization.jsonObject(with: output)
    }
  }

  @Test func `a DLS file is a soundfont for every command`() throws {
    let font = try scratch.write("tiny.dls", TinyDLS().bytes)
    #expect(try run(["presets", font]).text == "  0   1  instrument\n")
    #expect(try run(["info", font]).text.contains("format     DLS 1\n"))
    #expect(try run(["check", font]).text == "\(font): clean, 1 presets, DLS 1\n")
    let json = try JSONSerialization.jsonObject(with: run(["info", font, "--json"]).output)
    #expect((json as? [String: Any])?["format"] as? String == "DLS 1")
    #expect(try run(["list", scratch.url.path]).text.contains("tiny.dls"))
    var faulty = TinyDLS()
    faulty.waves[0].format = 2
    let path = try scratch.write("adpcm.dls", faulty.bytes)
    let check = try run(["check", path])
    #expect(check.status == 3)
    #expect(check.errors.contains("wave 1 'wave': is silent: its format is 2"))
  }

  @Test func `a folder of many fonts is listed, and broken ones are named`() throws {
    for index in 100..<160 { _ = try tiny("\(index).sf2") }
    _ = try scratch.write("cut.sf2", Array(TinySoundFont.bytes.dropLast(500)))
    _ = try scratch.write("text.sf3", Array("no soundfont".utf8))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("dangling.sf2"), withDestinationPath: "nowhere")
    let list = try run(["list", scratch.url.path])
    #expect(list.status == 3)
    #expect(list.text.split(separator: "\n").count == 60)
    #expect(list.errors.split(separator: "\n").count == 3)
    let check = try run(["check", scratch.url.path])
    #expect(check.status == 3)
    #expect(check.errors.split(separator: "\n").count == 3)
    #expect(check.errors.contains("cut.sf2: the soundfont is truncated"))
  }

  @Test func `a font that check passes can be played`() throws {
    let bytes = TinySoundFont.bytes
    let name = try #require(bytes.indices.first { bytes[$0...].starts(with: "INAM".utf8) })
    var unknown = bytes
    unknown.replaceSubrange(name..<name + 4, with: "IXYZ".utf8)
    var longer = bytes + [0, 0]
    longer[4] += 2
    let song = try scratch.write(
      "song.mid", SongBytes.file([(0, [0x90, 60, 100]), (48, [0x80, 60, 0])]))
    for (label, bytes) in [("unknown", unknown), ("longer", longer), ("whole", bytes)] {
      let font = try scratch.write("\(label).sf2", bytes)
      let check = try run(["check", font])
      let render = try CommandRun(
        ["render", song, "-s", font, "-o", scratch.path("\(label).wav"), "-q"])
      #expect(check.status == render.status, "\(label): \(check.errors) \(render.errors)")
    }
  }

  @Test func `check passes a complete font, reports faults, and refuses a damaged one`() throws {
    #expect(try run(["check", tiny()]).status == 0)
    var bytes = TinySoundFont.bytes
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "shdr".utf8) }) + 8
    bytes[header + 33] = 0xFF
    let off = try run(["check", scratch.write("off.sf2", bytes)])
    #expect(off.status == 3)
    #expect(off.errors.contains("sample 1 'Cosine': its loop"))
    let damaged = try run(["check", scratch.write("cut.sf2", Array(bytes.prefix(1000)))])
    #expect(damaged.status == 78)
    #expect(damaged.errors.split(separator: "\n").count == 1)
  }

  @Test func `presets that the font lacks for a song are reported, also while rendering`() throws {
    let font = try tiny()
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240, program: 40))
    let sentence =
      "channel 1 plays program 41 Violin, which the soundfont lacks: program 1 Acoustic Grand Piano"
      + " instead"
    let check = try run(["check", "--song", song, font])
    #expect(check.status == 3)
    #expect(check.errors == "downbeat: \(song): \(sentence)\n")
    let output = scratch.path("song.wav")
    let render = try CommandRun(["render", song, "-o", output, "-s", font])
    #expect(render.status == 0)
    #expect(render.warnings == "downbeat: \(song): \(sentence)\n")
    let quiet = try CommandRun(["render", song, "-o", output, "-s", font, "-q", "--overwrite"])
    #expect(quiet.errors.isEmpty)
    let there = try scratch.write("there.mid", SongBytes.notes(2, every: 240, program: 1))
    #expect(try run(["check", "--song", there, font]).status == 0)
  }

  @Test func `the first of several fonts that has a program plays it, at its own gain`() throws {
    let font = try tiny()
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 960))
    func level(_ fonts: String...) throws -> Double {
      let output = scratch.path("song.wav")
      let run = try CommandRun(
        [
          "render", song, "-o", output, "--overwrite", "--absolute-gain", "1", "--no-reverb",
          "--no-chorus",
        ] + fonts.flatMap { ["-s", $0] })
      #expect(run.status == 0, "\(run.errors)")
      return try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: output)))).level
    }
    let alone = try level(font)
    #expect(abs(try level(font, "\(font),gain=-6dB") - alone) < 0.1)
    #expect(abs(try level("\(font),gain=-6dB", font) - (alone - 6)) < 0.1)
    #expect(abs(try level("\(font),gain=-6dB") - (alone - 6)) < 0.1)
    // Shifted out of the way, the first does not answer.
    #expect(abs(try level("\(font),bank=8,gain=-6dB", font) - alone) < 0.1)
  }

  @Test func `a bank offset makes a font a variation`() throws {
    let font = try tiny()
    let song = SongBytes.file([
      (0, [0xB0, 0, 8]), (0, [0xC0, 1]), (0, [0x90, 60, 100]), (480, [0x80, 60, 64]),
    ])
    let path = try scratch.write("song.mid", song)
    let plain = try CommandRun(["render", path, "-o", scratch.path("a.wav"), "-s", font])
    #expect(plain.errors.contains("program 2 of bank 8, which the soundfont lacks"))
    let shifted = try CommandRun([
      "render", path, "-o", scratch.path("b.wav"), "-s", "\(font),bank=8",
    ])
    #expect(shifted.warnings.isEmpty)
  }

  @Test func `a demo of a program is written to a file`() throws {
    let output = scratch.path("demo.wav")
    let run = try run(["demo", "--program", "2", "-s", tiny(), "-o", output])
    #expect(run.status == 0, "\(run.errors)")
    let sound = try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.level > -50)
    #expect(try self.run(["demo", "--program", "129"]).status == 64)
    let named = scratch.path("named.wav")
    #expect(try self.run(["demo", tiny(), "--program", "2", "-o", named]).status == 0)
    #expect(try FileContent.data(named) == FileContent.data(output))
    #expect(try self.run(["demo", tiny(), "-s", tiny(), "-o", named]).status == 64)
  }
}
