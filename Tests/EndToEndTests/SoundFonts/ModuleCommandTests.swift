// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The reports on effects and parameters of a GS, XG or GM2 module.
@Suite struct ModuleCommandTests {
  private let scratch: ScratchFolder
  private static let sentence =
    "effect \"3D Auto\" of GS is not available: the song plays without it"

  init() throws { scratch = try ScratchFolder() }

  private func font() throws -> String { try scratch.write("tiny.sf2", TinySoundFont.bytes) }

  private static func gs(_ body: UInt8...) -> (delta: Int, bytes: [UInt8]) {
    let sum = body.reduce(0) { $0 + Int($1) }
    let whole = [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128), 0xF7]
    return (0, [0xF0, UInt8(whole.count)] + whole)
  }

  /// A song whose first part goes through an insertion effect.
  private func song(_ lower: UInt8) throws -> String {
    try scratch.write(
      "song.mid",
      SongBytes.file([
        Self.gs(0x40, 0, 0x7F, 0), Self.gs(0x40, 3, 0, 1, lower), Self.gs(0x40, 0x41, 0x22, 1),
        Self.gs(0x40, 0x12, 0x15, 1), Self.gs(0x41, 2, 36, 90),
        (0, [0x90, 60, 100]), (240, [0x80, 60, 0]), (0, [0x90, 62, 100]), (240, [0x80, 62, 0]),
      ]))
  }

  @Test func `a missing effect is reported once, by name, while rendering and playing`()
    throws
  {
    let (song, font) = (try song(0x70), try font())
    let output = scratch.path("song.wav")
    let render = try CommandRun(["render", song, "-o", output, "-s", font])
    #expect(render.status == 0)
    #expect(render.warnings == "downbeat: \(song): \(Self.sentence)\n")
    let play = try ToolRun(["play", song, "-s", font, "--audio", "null", "--speed", "4"])
    #expect(play.status == 0)
    let told = play.errors.split(separator: "\n").filter { $0.contains("not available") }
    #expect(told == ["downbeat: \(song): \(Self.sentence)"], "\(play.errors)")
    let quiet = try CommandRun(["render", song, "-o", output, "-s", font, "-q", "--overwrite"])
    #expect(quiet.errors.isEmpty)
    let json = try CommandRun(["render", song, "-o", output, "-s", font, "--json", "--overwrite"])
    #expect(try document(json)["missingEffects"] as? [String] == [Self.sentence])
  }

  @Test func `an available effect is not reported`() throws {
    let render = try CommandRun(
      ["render", song(0x22), "-o", scratch.path("song.wav"), "-s", font()])
    #expect(render.status == 0 && render.warnings.isEmpty, "\(render.errors)")
  }

  @Test func `check lists parameters that are not played, without a fault`() throws {
    let check = try CommandRun(["check", song(0x70)])
    #expect(check.status == 0)
    #expect(check.text.contains("  module  \(Self.sentence)\n"))
    let json = try CommandRun(["check", "--json", song(0x70)])
    #expect(try document(json)["module"] as? [String] == [Self.sentence])
    #expect(try !CommandRun(["check", song(0x22)]).text.contains("module"))
  }

  @Test func `info lists parts, drum parts, drum notes and effects`() throws {
    let info = try CommandRun(["info", song(0x22)])
    #expect(info.status == 0)
    let lines = info.text.split(separator: "\n").map(String.init)
    for line in [
      "  drums     channel 2, by SysEx", "  parts     1 insertion effect",
      "            2 part mode", "  drum keys 1 key: level",
      "  effects   insertion Rotary (GS) on channel 1",
    ] { #expect(lines.contains(line), "\(info.text)") }
    let lacking = try CommandRun(["info", song(0x70)])
    #expect(lacking.text.contains("insertion 3D Auto (GS) on channel 1, not available\n"))
    let module = try #require(
      document(CommandRun(["info", "--json", song(0x22)]))["module"] as? [String: Any])
    let effects = try #require(module["effects"] as? [[String: Any]])
    #expect(effects.map { $0["name"] as? String } == ["Rotary"])
    #expect(effects.map { $0["channels"] as? [Int] } == [[0]])
  }

  private func document(_ run: CommandRun) throws -> [String: Any] {
    let last = try #require(run.text.split(separator: "\n").last)
    return try #require(
      JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
  }
}
