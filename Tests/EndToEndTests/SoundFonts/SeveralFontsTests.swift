// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Several soundfonts in variables and settings, as on the command line.
@Suite struct SeveralFontsTests {
  private let scratch: ScratchFolder
  private let first: String
  private let second: String
  private let song: String

  /// The second font alone has program 6 of bank 8, if its banks are moved by 8.
  init() throws {
    scratch = try ScratchFolder()
    first = try scratch.write("first.sf2", TinySoundFont.bytes)
    second = try scratch.write("second.sf2", TinySoundFont.with([.init(0, 5)]))
    song = try scratch.write(
      "song.mid",
      SongBytes.file([
        (0, [0xB0, 0, 8]), (0, [0xC0, 5]), (0, [0x90, 60, 100]), (480, [0x80, 60, 64]),
      ]))
  }

  /// The variables of a machine with these settings and no other font.
  private func bare(
    _ variables: [String: String], settings: String = ""
  ) throws -> [String: String?] {
    let file = try scratch.write("config.toml", Array(settings.utf8))
    let none: [String: String?] = [
      "DOWNBEAT_SOUNDFONT": nil, "HOME": scratch.path("home"), "XDG_DATA_HOME": nil,
      "XDG_DATA_DIRS": scratch.path("none"), "SDL_SOUNDFONTS": nil, "SOUND_FONT": nil,
      "SOUNDFONT": nil, "DOWNBEAT_CONFIG": file,
    ]
    return none.merging(variables) { $1 }
  }

  private var list: String { "[\"\(first)\", \"\(second),bank=8\"]" }

  private func check(
    _ environment: [String: String?], _ words: [String] = [], command: String = "render"
  ) throws {
    let run = try CommandRun(
      [command, song, "-o", scratch.path("song.wav"), "--overwrite"] + words,
      environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("lacks"), "\(run.errors)")
  }

  @Test func `a variable with two fonts plays both`() throws {
    try check(bare(["DOWNBEAT_SOUNDFONT": "\(first):\(second),bank=8"]))
    try check(bare(["DOWNBEAT_RENDER_SOUNDFONT": "\(first):\(second),bank=8"]))
    let alone = try CommandRun(
      ["render", song, "-o", scratch.path("alone.wav")],
      environment: bare(["DOWNBEAT_SOUNDFONT": first]))
    #expect(alone.errors.contains("which the soundfont lacks"))
  }

  @Test func `settings with two fonts play both, for all commands and for one`() throws {
    try check(bare([:], settings: "soundfont = \(list)\n"))
    try check(bare([:], settings: "[render]\nsoundfont = \(list)\n"))
    try check(
      bare([:], settings: "[profile.stage.render]\nsoundfont = \(list)\n"),
      ["--profile", "stage"])
  }

  @Test func `which prints each font with its settings`() throws {
    let environment = try bare([:], settings: "soundfont = \(list)\n")
    let run = try CommandRun(["soundfont", "which"], environment: environment)
    #expect(run.text == "\(first)\n\(second),bank=8\n")
    let json = try CommandRun(["soundfont", "which", "--json"], environment: environment)
    #expect(json.text.contains("\"settings\":\"bank=8\""))
  }

  @Test func `config set stores several fonts, and reports one that is missing`() throws {
    let environment = try bare([:])
    let run = try CommandRun(
      ["config", "set", "soundfont", first, "\(second),bank=8"], environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty, "\(run.errors)")
    let get = try CommandRun(["config", "get", "soundfont"], environment: environment)
    #expect(get.text.contains("\(second),bank=8"))
    try check(environment)
    let missing = try CommandRun(
      ["config", "set", "soundfont", first, "/none.sf2,gain=-3dB"], environment: environment)
    #expect(missing.errors.contains("/none.sf2"), "\(missing.errors)")
  }

  @Test func `a font that is missing from a list is reported, and the others play`() throws {
    let environment = try bare(["DOWNBEAT_SOUNDFONT": "\(second),bank=8:/none.sf2"])
    let run = try CommandRun(
      ["render", song, "-o", scratch.path("song.wav")], environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("/none.sf2: missing, not used ($DOWNBEAT_SOUNDFONT)"))
  }

  @Test func `a bank offset that is not a number is an error`() throws {
    let run = try CommandRun(
      ["render", song, "-o", scratch.path("song.wav")],
      environment: bare(["DOWNBEAT_SOUNDFONT": "\(first),bank=x"]))
    #expect(run.status == 78, "\(run.errors)")
    #expect(run.errors.contains("bank=x") || run.errors.contains("bank offset"))
  }
}
