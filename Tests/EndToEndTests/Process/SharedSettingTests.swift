// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Settings above all tables, which several commands may use, and remarks on them.
@Suite struct SharedSettingTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func run(_ command: String, _ settings: String) throws -> CommandRun {
    let file = try scratch.write("config.toml", Array(settings.utf8))
    let words = command.split(separator: " ").map(String.init)
    return try CommandRun(words, environment: ["DOWNBEAT_CONFIG": file], folder: scratch.url)
  }

  private var settings: String {
    get throws { try String(contentsOfFile: scratch.path("config.toml"), encoding: .utf8) }
  }

  @Test func `a sound device is set for the commands that take one`() throws {
    let set = try run("config set audio null", "")
    #expect(set.status == 0 && set.errors.isEmpty, "\(set.errors)")
    #expect(try settings == "audio = \"null\"\n")
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    for command in ["plot song.mid -o song.svg", "play song.mid", "config check"] {
      let run = try run(command, "audio = \"null\"\n")
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
  }

  @Test func `a flag is set for the commands that have it, and the others are named`() throws {
    let set = try run("config set audio true", "")
    #expect(set.status == 0)
    let remark = "audio: does not apply to play, "
    #expect(set.errors.hasPrefix("downbeat: \(remark)"), "\(set.errors)")
    #expect(set.errors.contains("(for play set play.audio)"), "\(set.errors)")
    #expect(try settings == "audio = true\n")
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let play = try run("play song.mid --to 0.1s", "audio = true\n")
    #expect(!play.errors.contains("true"), "\(play.errors)")
    #expect(try run("config check", "audio = true\n").errors.contains(remark))
  }

  @Test func `a value that no command accepts is refused with its line`() throws {
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let plot = try run("plot song.mid -o song.svg", "theme = \"loud\"\n")
    #expect(plot.status == 78 && plot.errors.contains("line 1: --theme loud"), "\(plot.errors)")
  }

  @Test func `a format of one command is not used by another`() throws {
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let plot = try run("plot song.mid -o song.svg", "format = \"flac\"\n")
    #expect(plot.status == 0, "\(plot.errors)")
    let own = try run("plot song.mid -o song.svg", "[plot]\nformat = \"flac\"\n")
    #expect(own.status == 78, "\(own.errors)")
  }

  @Test func `a soundfont that is missing is reported and stored`() throws {
    for name in ["nix", "/no/such.sf2"] {
      let set = try run("config set soundfont \(name)", "")
      #expect(set.status == 0)
      #expect(set.errors.hasPrefix("downbeat: soundfont: \(name): no such "), "\(set.errors)")
      #expect(try settings == "soundfont = \"\(name)\"\n")
      let check = try run("config check", "[play]\nsoundfont = \"\(name)\"\n")
      #expect(check.status == 0)
      #expect(
        check.errors.contains("config.toml: line 2: play.soundfont: \(name): no such "),
        "\(check.errors)")
    }
  }
}
