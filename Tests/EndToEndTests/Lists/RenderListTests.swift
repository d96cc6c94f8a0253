// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `render` with more than one song, and what `play`, `render` and `graph` take alike.
@Suite struct RenderListTests {
  private let scratch: ScratchFolder
  private let font: String

  init() throws {
    scratch = try ScratchFolder()
    font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    try FileManager.default.createDirectory(
      atPath: scratch.path("album/sub"), withIntermediateDirectories: true)
    for (index, name) in ["one.mid", "album/a.mid", "album/sub/a.mid", "album/b.mid"].enumerated() {
      _ = try scratch.write(name, SongBytes.notes(4 + index, every: 480, key: 60 + UInt8(index)))
    }
    _ = try scratch.write("list.m3u", Array("one.mid\ngone.mid\nlist.m3u\n".utf8))
  }

  private func run(_ words: [String]) throws -> CommandRun {
    try CommandRun(words + ["-s", font], folder: scratch.url)
  }

  /// The files below a folder, sorted.
  private func files(_ folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: scratch.path(folder)) else { return [] }
    let all = try FileManager.default.subpathsOfDirectory(atPath: scratch.path(folder))
    return all.filter { $0.hasSuffix(".wav") || $0.contains("downbeat") }.sorted()
  }

  @Test func `each file is the same as if its song were rendered alone`() throws {
    let together = try run(["render", "album", "list.m3u", "--output-dir", "out"])
    #expect(together.status == 3, "\(together.errors)")
    #expect(together.errors.contains("list.m3u: line 2: gone.mid: no such file"))
    #expect(
      together.errors.hasPrefix("downbeat: list.m3u: line 3: ")
        && together.errors.contains("no such file (did you mean one.mid?)\n"))
    #expect(together.errors.contains("list.m3u: line 3: list.m3u: skipped, already in this list"))
    #expect(together.errors.contains(" LUFS, 4 of 4"), "\(together.errors)")
    #expect(together.text.isEmpty && !together.errors.contains("\u{1B}"))
    #expect(try files("out") == ["a.wav", "b.wav", "one.wav", "sub/a.wav"])
    for (song, sound) in [
      ("one.mid", "one.wav"), ("album/a.mid", "a.wav"), ("album/sub/a.mid", "sub/a.wav"),
    ] {
      let alone = try run(["render", song, "-o", "alone.wav", "--overwrite", "-q"])
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(
        try FileContent.data(scratch.path("alone.wav"))
          == FileContent.data(scratch.path("out/\(sound)")))
    }
  }

  @Test func `one thread and several give the same bytes`() throws {
    for threads in ["1", "5"] {
      let words = ["render", "album", "--output-dir", "out\(threads)", "-q", "-t", threads]
      let run = try run(words)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
    for file in try files("out1") {
      #expect(
        try FileContent.data(scratch.path("out1/\(file)"))
          == FileContent.data(scratch.path("out5/\(file)")), "\(file)")
    }
  }

  @Test func `a folder for several is made, kept or refused`() throws {
    #expect(try run(["render", "one.mid", "--output-dir", "out"]).status == 0)
    #expect(try files("out") == ["one.wav"])
    let again = try run(["render", "one.mid", "album/a.mid", "--output-dir", "out"])
    #expect(again.status == 3)
    #expect(again.errors.contains("out/one.wav: already exists"), "\(again.errors)")
    #expect(try run(["render", "one.mid", "--output-dir", "one.mid"]).status == 73)
    #expect(try run(["render", "one.mid", "--output-dir", "no/where"]).status == 73)
    #expect(try run(["render", "one.mid"]).status == 64)
    #expect(try run(["render", "one.mid", "-o", "a.wav", "--output-dir", "out"]).status == 64)
    #expect(try run(["render", "album", "-o", "-"]).status == 64)
    let twice = try run(["render", "album/a.mid", "album/sub/a.mid", "--output-dir", "new"])
    #expect(twice.status == 64)
    #expect(twice.errors.contains("two songs would get this name"))
    let none = try run(["render", "gone.mid", "dead.mid", "--output-dir", "new"])
    #expect(none.status == 66)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("new")))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal leaves no half of a file`(signal: Int32) throws {
    for number in 0..<4 {
      _ = try scratch.write("album/long\(number).mid", SongBytes.notes(4000, every: 960))
    }
    let tool = try RunningTool(
      ["render", "album", "--output-dir", "out", "-s", font], folder: scratch.url)
    // Until something is half written.
    for _ in 0..<6000 where try !begun() { usleep(10_000) }
    #expect(try begun())
    #expect(try tool.end(by: signal).signal == signal)
    let left = try files("out")
    #expect(!left.contains { $0.contains("downbeat") || $0.contains("long") }, "\(left)")
  }

  private func begun() throws -> Bool {
    try files("out").contains { $0.contains(".downbeat-") }
  }

  @Test func `on a terminal each song has a line that fits, its name shortened in the middle`()
    throws
  {
    let names = ["first", "second"].map { "\($0)-\(String(repeating: "x", count: 60))-end.mid" }
    for name in names { _ = try scratch.write(name, SongBytes.notes(30, every: 960)) }
    let words = names.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      script -qefc "stty cols 60 rows 20; $0 render \(words) --output-dir out -t 2 -s '\(font)'" \
      /dev/null < /dev/null
      """
    let run = try ToolRun(
      ["-c", script, ToolRun.command], command: "/bin/bash", folder: scratch.url)
    let pieces = run.text.split(whereSeparator: \.isNewline)
    let lines = pieces.compactMap { piece in
      piece.firstRange(of: "\u{1B}[K").map { piece[$0.upperBound...] }
    }.filter { $0.contains(" %") }.map { $0.replacing("\u{1B}[J", with: "") }
    #expect(
      lines.contains { $0.hasPrefix("first-") && $0.contains("…") && $0.contains("-end.mid [") })
    #expect(lines.contains { $0.hasPrefix("second-") && $0.contains("…") })
    for line in lines { #expect(line.count < 60, "\(line)") }
    #expect(run.text.contains(" LUFS, 2 of 2"))
    #expect(run.text.contains("2 of 2 songs rendered in "))
  }

  @Test func `play, render and graph take the same of a song, and each its own clock`() throws {
    let part = ["--from", "1s", "--solo", "1", "--transpose", "2", "--pattern", "1"]
    let player = ["play", "one.mid", "--audio", "null"]
    let played = try ToolRun(player + part + ["-s", font], folder: scratch.url)
    #expect(played.status == 0, "\(played.errors)")
    for words in [player, ["render", "one.mid", "-o", "x.wav"], ["graph", "one.mid"]] {
      if words != player {
        let run = try run(words + part)
        #expect(run.status == 0, "\(words) \(run.errors)")
      }
      let bad = try self.run(words + ["--pattern", "2"])
      #expect(bad.status == 64 && bad.errors.contains("--pattern 2"), "\(words) \(bad.errors)")
    }
    let offline = try run(["graph", "one.mid", "--sync", "offline"])
    #expect(offline.text == (try run(["graph", "one.mid", "--for", "render"]).text))
    #expect(try run(["graph", "one.mid", "--sync", "offline", "--for", "play"]).status == 64)
    #expect(try run(["render", "one.mid", "-o", "y.wav", "--sync", "offline"]).status == 0)
    let master = try run(["render", "one.mid", "-o", "z.wav", "--sync", "clock:x"])
    #expect(master.status == 64 && master.errors.contains("runs offline"))
    let play = try run(["play", "one.mid", "--sync", "offline"])
    #expect(play.status == 64 && play.errors.contains("downbeat render"), "\(play.errors)")
  }
}
