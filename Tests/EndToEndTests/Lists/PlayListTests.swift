// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `play` with more than one song.
@Suite struct PlayListTests {
  private let scratch: ScratchFolder
  private let font: String

  init() throws {
    scratch = try ScratchFolder()
    font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
  }

  private func song(_ name: String) throws {
    _ = try scratch.write(name, SongBytes.notes(1, every: 48))
  }

  private func play(_ words: String...) throws -> ToolRun {
    try ToolRun(
      ["play"] + words + ["-s", font, "--audio", "null", "--absolute-gain", "1"],
      folder: scratch.url)
  }

  /// The names of the songs that were begun, in order.
  private func begun(_ run: ToolRun) -> [String] {
    run.errors.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /playing (.+), \d+:\d\d(?:\.\d)?$/).map { String($0.1) }
    }
  }

  @Test func `files, folders, lists and addresses are played in order`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path("album"), withIntermediateDirectories: true)
    for name in ["a.mid", "b c.mid", "album/2.mid", "album/10.mid"] { try song(name) }
    _ = try scratch.write("list.m3u", Array("\u{FEFF}#EXTM3U\r\n#EXTINF:1,T\r\nb c.mid\r\n".utf8))
    let address = "file://\(scratch.path("b%20c.mid"))"
    let run = try play("a.mid", "album", "list.m3u", address)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      begun(run) == [
        "a.mid", "album/2.mid", "album/10.mid", "T  (b c.mid)", scratch.path("b c.mid"),
      ], "\(run.errors)")
    #expect(run.text.isEmpty)
  }

  @Test func `a bad file is reported with its list and line, and skipped`() throws {
    try song("a.mid")
    _ = try scratch.write("bad.mid", Array("nothing".utf8))
    _ = try scratch.write("list.m3u", Array("gone.mid\nbad.mid\na.mid\nlist.m3u\n".utf8))
    let run = try play("list.m3u")
    #expect(run.status == 3, "\(run.errors)")
    #expect(begun(run) == ["a.mid"])
    #expect(run.errors.contains("list.m3u: line 1: gone.mid: no such file"))
    #expect(run.errors.contains("list.m3u: line 2: bad.mid: "))
    let skipped = "list.m3u: line 4: list.m3u: skipped, already in this list"
    #expect(run.errors.components(separatedBy: skipped).count == 2)
    _ = try scratch.write("dead.m3u", Array("gone.mid\nmore.mid\n".utf8))
    let dead = try play("dead.m3u", "--repeat", "list")
    #expect(dead.status == 66, "\(dead.errors)")
    #expect(dead.errors.split(separator: "\n").count == 2)
    let empty = try play("empty.m3u")
    #expect(empty.status == 66, "\(empty.errors)")
  }

  @Test func `missing files are reported before the first song plays, with similar names`() throws {
    for name in ["rag.mid", "groove.mid"] { try song(name) }
    let run = try play("rag.mid", "Groove.MID", "two", "rag.midi", "grove.mid", "groove.mid")
    #expect(run.status == 3, "\(run.errors)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(4) == [
        "downbeat: Groove.MID: no such file (did you mean groove.mid?)",
        "downbeat: two: no such file",
        "downbeat: rag.midi: no such file (did you mean rag.mid?)",
        "downbeat: grove.mid: no such file (did you mean groove.mid?)",
      ], "\(run.errors)")
    #expect(begun(run) == ["rag.mid", "groove.mid"])
    let none = try play("two", "three", "--loop=0")
    #expect(none.status == 66)
    #expect(none.errors == "downbeat: two: no such file\ndownbeat: three: no such file\n")
  }

  @Test func `a problem of the device is reported once, and not for each song`() throws {
    for name in ["a.mid", "b.mid"] { try song(name) }
    let run = try ToolRun(
      ["play", "a.mid", "b.mid", "-s", font, "--audio", "nonesuch"], folder: scratch.url)
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "nonesuch").count == 2, "\(run.errors)")
  }

  @Test func `a seed shuffles the same way each time`() throws {
    for number in 1...5 { try song("\(number).mid") }
    let first = try play(".", "--shuffle", "--seed", "4")
    #expect(first.status == 0, "\(first.errors)")
    #expect(Set(begun(first)).count == 5)
    #expect(begun(try play(".", "--shuffle", "--seed", "4")) == begun(first))
    #expect(begun(try play(".")) == (1...5).map { "./\($0).mid" })
    let said = try play(".", "--shuffle")
    #expect(said.errors.contains(#/shuffled \(--seed \d+ repeats this order\)/#))
    #expect(try play(".", "--seed", "4").status == 64)
  }

  @Test func `control characters in a list's names do not reach the terminal`() throws {
    let list = "a\u{1B}[2Jb.mid\n\u{202E}dim.x\nhttp://\u{9B}31m\n"
    _ = try scratch.write("list.m3u", Array(list.utf8))
    let run = try play("list.m3u")
    #expect(run.status == 66, "\(run.errors)")
    let steering = run.errors.unicodeScalars.filter {
      $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E)
    }
    #expect(steering.isEmpty, "\(run.errors.debugDescription)")
  }

  @Test func `standard input is one of several`() throws {
    try song("a.mid")
    let run = try ToolRun(
      ["play", "-", "a.mid", "-s", font, "--audio", "null"],
      input: Data(SongBytes.notes(1, every: 48)), folder: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(begun(run) == ["standard input", "a.mid"])
  }
}
