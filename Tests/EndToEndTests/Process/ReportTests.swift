// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The reports for other programs, with `--json`, of commands that write files or run for a while.
@Suite struct ReportTests {
  private static let font = ToolRun.packageFolder.appendingPathComponent(
    "Soundfonts/Downbeat.sf2"
  ).path

  private let scratch: ScratchFolder
  private let song: String

  init() throws {
    scratch = try ScratchFolder()
    song = try scratch.write("song.mid", SongBytes.notes(4, every: 240))
  }

  /// Standard output as documents: every line of it must be one.
  ///
  /// Progress reports are omitted, because their number depends on the speed of the machine.
  private func documents(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }.filter { $0["type"] as? String != "progress" }
  }

  @Test(arguments: [
    "edit SONG -o -", "new c4: -o -", "events --import LIST -o -", "plot SONG -o - --format svg",
    "render SONG -o -", "sound convert WAVE -o -", "sound record -o -", "soundfont demo -o -",
    "record -o -",
  ])
  func `standard output has only one use`(command: String) throws {
    let run = try CommandRun(command.split(separator: " ").map(String.init) + ["--json"])
    #expect(run.status == 64, "\(command): \(run.errors)")
    #expect(run.errors.contains("-o FILE"), "\(command): \(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `an edited song is reported with its repairs`() throws {
    let cut = try scratch.write("cut.mid", SongBytes.notes(4, every: 240).dropLast(6))
    let output = scratch.path("out.mid")
    let run = try CommandRun(["edit", cut, "-o", output, "--do", "transpose 2", "--json"])
    let told = try #require(try documents(run.text).first)
    #expect(run.status == 3)
    #expect(told["type"] as? String == "written")
    #expect(told["command"] as? String == "edit")
    #expect(told["file"] as? String == cut)
    #expect(told["output"] as? String == output)
    #expect(told["bytes"] as? Int == (try FileContent.data(output)).count)
    #expect(told["exitStatus"] as? Int == 3)
    let check = try documents(try CommandRun(["check", cut, "--json"]).text)
    let repairs = try #require(check.first?["repairs"] as? [[String: Any]])
    #expect(!repairs.isEmpty)
    #expect(NSArray(array: told["repairs"] as? [Any] ?? []) == NSArray(array: repairs))
  }

  @Test func `a refusal is reported, and nothing is written`() throws {
    let output = scratch.path("out.mid")
    let run = try CommandRun(["edit", scratch.path("none.mid"), "-o", output, "--json"])
    let told = try #require(try documents(run.text).first)
    #expect(run.status == 66)
    #expect(told["type"] as? String == "refused")
    #expect(told["exitStatus"] as? Int == 66)
    #expect(told["output"] as? String == output)
    let message = try #require(told["message"] as? String)
    #expect(run.errors.contains(message))
  }

  @Test func `a rendering reports its loudness, which agrees with another meter`() throws {
    let output = scratch.path("out.wav")
    let run = try CommandRun([
      "render", song, "-o", output, "-s", Self.font, "--normalize", "-20LUFS", "--json",
    ])
    let told = try #require(try documents(run.text).first)
    #expect(run.status == 0, "\(run.errors)")
    let loudness = try #require(told["loudness"] as? Double)
    #expect(abs(loudness + 20) < 0.2)
    let audio = try #require(WaveAudio(try FileContent.data(output)))
    #expect(told["frames"] as? Int == audio.channels[0].count)
    let peak = audio.channels.flatMap(\.self).map(abs).max() ?? 0
    // Between the samples it may be higher.
    let truePeak = try #require(told["truePeak"] as? Double)
    #expect(truePeak > 20 * log10(Double(peak)) - 0.1 && truePeak < 0)
    #expect(told["bytes"] as? Int == (try FileContent.data(output)).count)
  }

  @Test func `each of several songs has a line, also one that failed`() throws {
    let bad = try scratch.write("bad.mid", Array("nothing".utf8))
    let folder = scratch.path("sounds")
    let run = try CommandRun([
      "render", song, bad, scratch.path("none.mid"), "--output-dir", folder, "-s", Self.font,
      "--length", "1s", "--json",
    ])
    #expect(run.status == 3)
    let told = try documents(run.text)
    let types = Dictionary(
      told.map { ($0["file"] as? String ?? "", $0["type"] as? String) },
      uniquingKeysWith: { first, _ in first })
    #expect(types[song] == "written")
    #expect(types[bad] == "refused")
    #expect(told.count { $0["type"] as? String == "refused" } == 2)
  }

  @Test func `a song that plays is reported from start to end, and nothing else`() throws {
    let marked = try scratch.write(
      "marked.mid",
      SongBytes.file([
        (0, [0xFF, 6, 3] + Array("one".utf8)), (0, [0x90, 60, 100]),
        (240, [0xFF, 6, 3] + Array("two".utf8)), (240, [0x80, 60, 64]),
      ]))
    let run = try ToolRun([
      "play", marked, scratch.path("none.mid"), song, "--audio", "null", "-s", Self.font,
      "--json", "--quiet", "--no-remote",
    ])
    #expect(run.status == 3, "\(run.errors)")
    let told = try documents(run.text)
    let events = told.map { $0["event"] as? String ?? $0["type"] as? String ?? "" }
      .filter { $0 != "underruns" && $0 != "held-up" }
    #expect(
      events == [
        "refused", "begin", "start-file", "marker", "marker", "end-file", "start-file", "end-file",
        "end",
      ])
    #expect(told.first?["file"] as? String == scratch.path("none.mid"))
    #expect(told.compactMap { $0["marker"] as? String } == ["one", "two"])
    let starts = told.filter { $0["event"] as? String == "start-file" }
    #expect(starts.map { $0["path"] as? String } == [marked, song])
    let end = try #require(told.last)
    #expect(end["reason"] as? String == "eof")
    #expect(end["exitStatus"] as? Int == 3)
  }

  @Test func `a signal is reported, and the reason why a command could not run`() throws {
    let log = scratch.path("log")
    let script = """
      "$0" "$@" > '\(log)' & player=$!
      for turn in $(seq 300); do grep -q start-file '\(log)' && break; sleep 0.1; done
      kill -TERM $player; wait $player
      """
    let run = try ToolRun(
      [
        "-c", script, ToolRun.command, "play", song, "--loop=0", "--audio", "null", "-s",
        Self.font, "--json", "--no-remote",
      ], command: "/bin/bash")
    #expect(run.status == 128 + SIGTERM)
    let last = try #require(
      String(decoding: try FileContent.data(log), as: UTF8.self).split(separator: "\n").last)
    #expect(last.contains(#""event":"end","reason":"signal","signal":15,"exitStatus":143"#))

    let refused = try CommandRun(["clock", "serve", "a/b", "--json"])
    let told = try #require(try documents(refused.text).last)
    #expect(told["event"] as? String == "end")
    #expect(told["reason"] as? String == "error")
    #expect(told["exitStatus"] as? Int == Int(refused.status))
    #expect(told["message"] != nil)
  }
}
