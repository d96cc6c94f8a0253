// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Bank modes, and notes that a soundfont cannot play, as the commands show them.
@Suite struct BankCommandTests {
  private static let gm: (Int, [UInt8]) = (0, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7])
  private static let xg: (Int, [UInt8]) = (
    0, [0xF0, 8, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]
  )
  private static let part: (Int, [UInt8]) = (
    0, [0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]
  )
  private static let select: [(Int, [UInt8])] = [
    (10, [0xB0, 0, 8]), (0, [0xB0, 32, 3]), (0, [0xC0, 1]), (0, [0x90, 69, 100]),
    (470, [0x80, 69, 0]),
  ]

  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func render(_ events: [(Int, [UInt8])], _ flags: String...) throws -> CommandRun {
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let song = try scratch.write("song.mid", SongBytes.file(events))
    return try CommandRun(
      ["render", song, "-o", scratch.path("song.wav"), "--overwrite", "-s", font] + flags)
  }

  private func document(_ run: CommandRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  @Test func `missing presets depend on the last reset, or on --bank-mode`() throws {
    #expect(try render(Self.select).errors.contains("program 2 of bank 8, which"))
    #expect(try render([Self.gm] + Self.select).warnings.isEmpty)
    #expect(try render([Self.xg] + Self.select).errors.contains("program 2 of bank 3, which"))
    #expect(try render(Self.select, "--bank-mode", "gm").warnings.isEmpty)
    let fixed = try render([Self.gm] + Self.select, "--bank-mode", "gs")
    #expect(fixed.errors.contains("program 2 of bank 8, which"))
    #expect(try render(Self.select, "--bank-mode", "mt32").status == 64)
  }

  @Test func `a fallback is reported once`() throws {
    let run = try render(Self.select + Self.select)
    #expect(run.warnings.split(separator: "\n").count == 1)
  }

  @Test func `for a part that GS makes a drum part, program 1 is not reported`() throws {
    let run = try render([Self.part, (0, [0x90, 40, 100]), (480, [0x80, 40, 0])])
    #expect(run.status == 0)
    #expect(run.warnings.isEmpty)
  }

  @Test func `info reports the bank mode`() throws {
    func info(_ events: [(Int, [UInt8])], _ flags: String...) throws -> CommandRun {
      try CommandRun(["info", "-"] + flags, input: Data(SongBytes.file(events)))
    }
    #expect(try info(Self.select).text.contains("banks     by GS (no reset)\n"))
    #expect(try !info([(0, [0x90, 60, 9]), (9, [0x80, 60, 0])]).text.contains("banks  "))
    #expect(try !info([Self.xg]).text.contains("banks  "), "no notes, no rules")
    let xg = try info([Self.xg] + Self.select)
    #expect(xg.text.contains("banks     by XG\n"))
    let forced = try info([Self.xg] + Self.select, "--bank-mode", "gm2")
    #expect(forced.text.contains("banks     by GM2 (--bank-mode)\n"))
    let both = try document(info(Self.select + [Self.xg] + Self.select, "--json"))
    #expect(both["bankMode"] as? String == "auto")
    #expect(both["bankModes"] as? [String] == ["gs", "xg"])
    let kit: [(Int, [UInt8])] = [(0, [0xB0, 0, 127]), (0, [0xC0, 0])] + Self.select.suffix(2)
    let drums = try document(info(kit, "--json", "--bank-mode", "xg"))
    let channels = try #require(drums["channels"] as? [[String: Any]])
    #expect(channels.map { $0["drums"] as? Bool } == [true])
  }

  /// Three notes, of which the font plays one.
  private func songOfThree() throws -> (song: String, font: String) {
    let notes = [60, 30, 100].flatMap { key -> [(Int, [UInt8])] in
      [(0, [0x90, UInt8(key), 100]), (240, [0x80, UInt8(key), 0])]
    }
    return (
      try scratch.write("three.mid", SongBytes.file([(0, [0xC0, 5])] + notes)),
      try scratch.write("narrow.sf2", TinySoundFont.with([.init(0, 5, keys: 48...72)]))
    )
  }

  @Test func `soundfont check names the silent notes`() throws {
    let (song, font) = try songOfThree()
    let run = try CommandRun(["soundfont", "check", font, "--song", song])
    #expect(run.status == 3)
    #expect(
      run.errors == "downbeat: \(song): channel 1: 2 notes of program 6 Electric Piano 2"
        + " are silent (no sample at these keys): F#1 (30), E7 (100)\n")
    let json = try document(
      CommandRun(["soundfont", "check", font, "--song", song, "--json"]))
    let silent = try #require(json["unplayable"] as? [[String: Any]])
    #expect(silent.map { $0["key"] as? Int } == [30, 100])
    #expect(silent.map { $0["firstTick"] as? Int } == [240, 480])
    #expect(silent.map { $0["reason"] as? String } == ["key", "key"])
    #expect(try CommandRun(["soundfont", "check", font]).status == 0)
  }

  @Test func `soundfont check finds a font by its name, as play does`() throws {
    let (song, font) = try songOfThree()
    let folder = URL(fileURLWithPath: font).deletingLastPathComponent()
    let home = scratch.path("data")
    try FileManager.default.createDirectory(
      atPath: home + "/soundfonts", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: folder.appendingPathComponent("narrow.sf2"),
      to: URL(fileURLWithPath: home + "/soundfonts/narrow.sf2"))
    let places: [String: String?] = ["XDG_DATA_HOME": home]
    let played = try CommandRun(
      ["render", song, "-o", scratch.path("a.wav"), "-s", "narrow", "-q"], environment: places)
    #expect(played.status == 0, "\(played.errors)")
    let run = try CommandRun(
      ["soundfont", "check", "narrow", "--song", song], environment: places)
    #expect(run.status == 3)
    #expect(run.errors.contains("2 notes of program 6"))
    let check = try CommandRun(["check", song, "-s", "narrow"], environment: places)
    #expect(check.status == 3)
    #expect(check.text.contains("2 notes of program 6"))
  }

  @Test func `check reports what a soundfont lacks for a song`() throws {
    let (song, font) = try songOfThree()
    let run = try CommandRun(["check", song, "--soundfont", font])
    #expect(run.status == 3)
    #expect(run.text.contains("  soundfont  channel 1: 2 notes of program 6"))
    let json = try document(CommandRun(["check", song, "-s", font, "--json"]))
    #expect((json["unplayable"] as? [Any])?.count == 2)
    #expect((json["soundfont"] as? [Any])?.count == 1)
    let tiny = try scratch.write("tiny.sf2", TinySoundFont.with([.init(0, 5)]))
    let whole = try CommandRun(["check", song, "-s", tiny])
    #expect(whole.status == 0)
    #expect(whole.text.contains("plays every note"))
    #expect(try CommandRun(["check", song, "-s", "/no.sf2"]).status == 78)
  }
}
