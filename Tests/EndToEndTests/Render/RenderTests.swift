// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct RenderTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func render(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["render", "--soundfont", "Soundfonts/Downbeat.sf2"] + arguments)
  }

  private func song(_ bytes: [UInt8] = SongBytes.notes(4, every: 480)) throws -> String {
    try scratch.write("song.mid", bytes)
  }

  @Test(arguments: ["wav", "aiff", "caf", "flac", "ogg"])
  func `each suffix gives a file of its kind`(suffix: String) throws {
    let output = scratch.path("song.\(suffix)")
    let run = try render(try song(), "-o", output)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.warnings.isEmpty, "\(run.errors)")
    #expect(run.output.isEmpty)
    let marks = ["wav": "RIFF", "aiff": "FORM", "caf": "caff", "flac": "fLaC", "ogg": "OggS"]
    let head = try Data(contentsOf: URL(fileURLWithPath: output)).prefix(4)
    #expect(String(decoding: head, as: UTF8.self) == marks[suffix])
    #expect(try scratch.names() == ["song.\(suffix)", "song.mid"].sorted())
  }

  @Test func `the same song gives the same bytes`() throws {
    let song = try song()
    for name in ["a.wav", "b.wav"] {
      #expect(try render(song, "-o", scratch.path(name)).status == 0)
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.wav")))
        == Data(contentsOf: URL(fileURLWithPath: scratch.path("b.wav"))))
  }

  @Test func `notes start at the times of the song, within half a quantum`() throws {
    let strokes = SongBytes.notes(8, every: 480, channel: 9, key: 76)
    let output = scratch.path("song.wav")
    #expect(
      try render(try song(strokes), "-o", output, "--no-reverb", "--no-chorus").status == 0)
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    let onsets = sound.onsets()
    #expect(onsets.count == 8)
    let first = try #require(onsets.first)
    for (index, onset) in onsets.enumerated() {
      #expect(abs(onset - first - index * 24_000) <= 64)
    }
  }

  /// Strokes that lie just between two quanta; one is in the last quantum that is made ahead.
  @Test func `a note goes to the same quantum, however many are made at once`() throws {
    let strokes = (0..<4).flatMap { index -> [(delta: Int, bytes: [UInt8])] in
      [(index == 0 ? 3440 : 752, [0x99, 76, 100]), (240, [0x89, 76, 64])]
    }
    let output = scratch.path("song.wav")
    let run = try render(
      try song(SongBytes.file(strokes)), "-o", output, "--no-reverb", "--no-chorus",
      "--absolute-gain", "1")
    #expect(run.status == 0)
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    let onsets = sound.onsets()
    #expect(onsets.count == 4)
    // A quantum is 64 frames; the stroke itself is found to some frames.
    #expect(zip(onsets, onsets.dropFirst()).allSatisfy { abs($1 - $0 - 992 * 50) < 8 }, "\(onsets)")
  }

  @Test func `a song is rendered to the end of its last note, or exactly to its end`() throws {
    let output = scratch.path("song.wav")
    let stroke: [(delta: Int, bytes: [UInt8])] = [
      (0, [0x99, 76, 100]), (240, [0x89, 76, 64]), (4570, [0xFF, 0x01, 1, 0x2E]),
    ]
    // The note ends after 12,000 frames, the last text stands at 240,500; quanta are whole.
    for (tail, frames) in [("none", 12_032), ("exact", 240_500)] {
      let run = try render(
        try song(SongBytes.file(stroke)), "-o", output, "--tail", tail, "--no-reverb",
        "--no-chorus", "--overwrite")
      #expect(run.status == 0)
      let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
      #expect(sound.channels[0].count == frames, "\(tail)")
    }
  }

  @Test func `a song from standard input`() throws {
    let run = try CommandRun(
      [
        "render", "-", "-o", scratch.path("song.wav"), "--soundfont", "Soundfonts/Downbeat.sf2",
      ], input: Data(SongBytes.notes(2, every: 480)))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try scratch.names() == ["song.wav"])
  }

  @Test func `a note that is never released ends with the song`() throws {
    let held = SongBytes.file([(0, [0xC0, 19]), (0, [0x90, 60, 100]), (960, [0xB0, 7, 100])])
    let output = scratch.path("song.wav")
    let run = try render(try song(held), "-o", output)
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.channels[0].count < 20 * sound.rate)
  }

  @Test func `the length is the requested one, to the frame`() throws {
    let output = scratch.path("song.wav")
    #expect(try render(try song(), "-o", output, "--length", "1.25s").status == 0)
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.channels[0].count == 60_000)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal leaves no file, and the command dies by it`(signal: Int32) throws {
    let long = try song(SongBytes.notes(20_000, every: 960))
    let script = """
      set -m
      "$0" render "$1" -o "$2" --soundfont Soundfonts/Downbeat.sf2 & tool=$!
      for i in $(seq 100); do ls -A "$3" | grep -q -v song.mid && break; sleep 0.05; done
      ls -A "$3" | grep -v song.mid
      kill -\(signal) $tool; wait $tool; exit $?
      """
    let run = try ToolRun(
      [
        "-c", script, ToolRun.command, long, scratch.path("out.wav"), scratch.url.path,
      ], command: "/bin/bash")
    #expect(run.status == 128 + signal)
    #expect(!run.text.isEmpty, "the signal came before the file was begun")
    #expect(try scratch.names() == ["song.mid"])
  }
}
