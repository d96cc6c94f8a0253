// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// How soon sound comes, against how safely, on ALSA's device that needs no card.
@Suite struct LatencyTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  private func play(
    _ words: [String], environment: [String: String?] = [:]
  ) throws -> ToolRun {
    let song = try scratch.write("song.mid", SongBytes.notes(1, every: 10))
    return try ToolRun(
      ["play", song, "--audio", "null", "--soundfont", font, "-v", "-q"] + words,
      environment: environment, limit: 60)
  }

  @Test(
    arguments: [
      ([], "periods of 512 frames, a buffer of 42.7 ms"),
      (["--latency", "low"], "periods of 128 frames, a buffer of 8.0 ms"),
      (["--latency", "safe"], "periods of 2048 frames, a buffer of 170.7 ms"),
      (["--latency", "low", "--periods", "6"], "periods of 128 frames, a buffer of 16.0 ms"),
    ] as [([String], String)])
  func `a word chooses periods and buffer, and numbers count more`(
    words: [String], sentence: String
  ) throws {
    let run = try play(words)
    #expect(run.status == 0)
    #expect(
      run.errors.contains("playing on null: as requested; \(sentence)\n"), "\(run.errors)")
  }

  @Test func `the word may be a setting`() throws {
    let settings = try scratch.write("config.toml", Array("latency = \"low\"\n".utf8))
    let environment = ["DOWNBEAT_CONFIG": settings]
    let run = try play([], environment: environment)
    #expect(run.errors.contains("a buffer of 8.0 ms"), "\(run.errors)")
    let typed = try play(["--latency", "safe"], environment: environment)
    #expect(typed.errors.contains("a buffer of 170.7 ms"), "\(typed.errors)")
  }

  @Test(
    arguments: [([], true), (["--period", "128", "--periods", "3"], false)] as [([String], Bool)])
  func `a device that runs dry gets a longer buffer, and keeps what was asked for in frames`(
    words: [String], grows: Bool
  ) throws {
    let song = try scratch.write("long.mid", SongBytes.notes(60, every: 480))
    let flags = words.isEmpty ? ["--latency", "low"] : words
    // A process that is stopped feeds nothing: each time the device runs dry.
    let script = """
      "$DB" play '\(song)' --audio null --soundfont '\(font)' -v -q \(flags.joined(separator: " ")) \
        2> said & play=$!
      until grep -q 'playing on null' said; do sleep 0.1; done
      for turn in 1 2 3 4 5 6 7 8; do
        sleep 0.5; kill -STOP $play; sleep 0.3; kill -CONT $play
      done
      sleep 0.3; kill $play; wait $play; cat said
      """
    let run = try ToolRun(
      ["-c", script], environment: ["DB": ToolRun.command], command: "/bin/bash",
      folder: scratch.url, limit: 60)
    #expect(
      run.text.contains("the device underran: its buffer is now 16.0 ms") == grows,
      "\(run.text)")
    #expect(
      run.text.contains("the device underran: its buffer is now 32.0 ms") == grows,
      "\(run.text)")
    #expect(!run.text.contains("its buffer is now 64"), "\(run.text)")
  }
}
