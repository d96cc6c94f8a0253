// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The part of a song that `render` renders, and its length.
@Suite struct RenderPartTests {
  private let scratch: ScratchFolder
  private static let dry = [
    "--soundfont", "Soundfonts/Downbeat.sf2", "--no-reverb", "--no-chorus",
  ]

  init() throws {
    scratch = try ScratchFolder()
  }

  private func render(_ song: String, to name: String = "out.wav", _ arguments: String...) throws
    -> CommandRun
  {
    try CommandRun(
      ["render", song, "-o", scratch.path(name), "--overwrite"] + Self.dry + arguments)
  }

  private func frames(_ song: String, _ arguments: String...) throws -> Int {
    let run = try CommandRun(
      ["render", song, "-o", scratch.path("out.wav"), "--overwrite"] + Self.dry + arguments)
    #expect(run.status == 0, "\(run.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("out.wav")))
    return try #require(WaveAudio(data)).channels[0].count
  }

  /// Two channels and drums, half a second a beat, eight beats.
  private func song() throws -> String {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, 19]), (0, [0xC1, 73])]
    for beat in 0..<8 {
      for (status, velocity) in [(0x90, 100), (0x80, 0)] as [(UInt8, UInt8)] {
        let key = UInt8(60 + beat)
        events.append((status == 0x90 ? 0 : 480, [status, key, velocity]))
        events.append((0, [status | 1, key + 7, velocity]))
        events.append((0, [status | 9, 38, velocity]))
      }
    }
    return try scratch.write("song.mid", SongBytes.file(events))
  }

  @Test(arguments: [
    [], ["--from", "1s"], ["--from", "1s", "--to", "3s"], ["--mute", "1"], ["--solo", "2"],
    ["--no-drums"], ["--transpose", "-5"], ["--speed", "2"], ["--speed", "150%", "--from", "2s"],
    ["--loop=2", "--to", "1s"], ["--ab", "1s,2s", "--loop=3"], ["--count-in", "1"],
    ["--engine", "downbeat"], ["--engine", "downbeat", "--from", "1s", "--speed", "2"],
  ])
  func `a rendering is the same as live playback`(flags: [String]) throws {
    let song = try song()
    let heard = scratch.path("heard")
    let common = Self.dry + ["--absolute-gain", "0.3"] + flags
    var played: ToolRun?
    // On a busy machine, a part of the song may be skipped, which is reported. Then it is played
    // again.
    for _ in 0..<5 where played?.errors.contains("playback stalled") ?? true {
      if played != nil { try FileManager.default.removeItem(atPath: heard) }
      played = try ToolRun(
        ["play", song, "--audio", "file:FILE=\(heard),FORMAT=raw"] + common, limit: 60)
    }
    #expect(played?.status == 0, "\(played?.errors ?? "")")
    let rendered = try CommandRun(["render", song, "-o", scratch.path("out.wav")] + common)
    #expect(rendered.status == 0, "\(rendered.errors)")
    let sound = try #require(
      WaveAudio(try Data(contentsOf: URL(fileURLWithPath: scratch.path("out.wav")))))
    let raw = try Data(contentsOf: URL(fileURLWithPath: heard))
    let live = unsafe raw.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    // Live playback starts later by the horizon, in whole quanta.
    let onset = try #require(stride(from: 0, to: live.count, by: 2).first { live[$0] != 0 }) / 2
    let start = onset / 64 * 64
    let count = min(sound.channels[0].count, live.count / 2 - start)
    #expect(count > 48_000)
    var worst: Float = 0
    for frame in 0..<count {
      worst = max(worst, abs(sound.channels[0][frame] - live[2 * (start + frame)]))
    }
    #expect(worst < 0.0001, "\(worst)")
    #expect(sound.channels[0][..<count].contains { abs($0) > 0.005 })
  }

  @Test func `options change the length as documented`() throws {
    let song = try song()
    let whole = try frames(song, "--tail", "exact")
    #expect(try frames(song, "--tail", "1500 ms") == frames(song, "--tail", "1.5"))
    #expect(whole == 4 * 48_000)
    #expect(try frames(song, "--tail", "exact", "--speed", "2") == whole / 2)
    #expect(try frames(song, "--tail", "exact", "--from", "1s", "--to", "3s") == whole / 2)
    #expect(try frames(song, "--tail", "exact", "--loop=3") == 3 * whole)
    #expect(try frames(song, "--tail", "exact", "--ab", "1s,2s", "--loop=2") == 2 * 48_000)
    // The second time it is twice as fast.
    #expect(try frames(song, "--tail", "exact", "--loop=2", "--ramp", "100%") == 6 * 48_000)
    #expect(try frames(song, "--loop", "--length", "10s") == 480_000)
    let endless = try render(song, "--loop")
    #expect(endless.status == 64)
    #expect(endless.errors.contains("--length"), "\(endless.errors)")
  }

  @Test func `a tail follows the length of --length`() throws {
    let song = try song()
    #expect(try frames(song, "--length", "1s") == 48_000)
    #expect(try frames(song, "--length", "1s", "--tail", "exact") == 48_000)
    #expect(abs(try frames(song, "--length", "1s", "--tail", "2") - 144_000) < 64)
    #expect(try frames(song, "--length", "1s", "--tail", "auto") > 48_000)
    #expect(try frames(song, "--length", "1s", "--tail", "auto") < 4 * 48_000)
  }

  @Test func `patterns are played in order, and every command reports their length`() throws {
    let info = try CommandRun(["info", "--json", "Songs/patterns.mid"])
    let fields = try #require(
      JSONSerialization.jsonObject(with: info.output) as? [String: Any])
    let seconds = try #require(fields["lengthSeconds"] as? Double)
    #expect(abs(seconds - 49.8) < 0.05)
    let whole = try frames("Songs/patterns.mid", "--tail", "exact")
    #expect(abs(Double(whole) - seconds * 48_000) < 2)
    var sum = 0
    for pattern in 1...5 {
      sum += try frames("Songs/patterns.mid", "--tail", "exact", "--pattern", "\(pattern)")
    }
    #expect(abs(whole - sum) <= 5)
    let none = try render("Songs/patterns.mid", "--pattern", "6")
    #expect(none.status == 64)
    #expect(none.errors.contains("5 patterns"), "\(none.errors)")
  }

  @Test func `a song without notes is refused, and leaves no file`() throws {
    let song = try scratch.write("empty.mid", SongBytes.file([(480, [0xC0, 1])]))
    let run = try render(song)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("no note"))
    #expect(try render(try self.song(), "--solo", "5").status == 65)
    #expect(try scratch.names() == ["empty.mid", "song.mid"])
  }

  @Test func `a silent part is rendered as silence of its length`() throws {
    let notes: [(delta: Int, bytes: [UInt8])] = [
      (0, [0x90, 60, 100]), (480, [0x80, 60, 0]), (4320, [0x91, 60, 100]), (480, [0x81, 60, 0]),
      (3840, [0xFF, 0x01, 1, 0x2E]),
    ]
    let song = try scratch.write("gap.mid", SongBytes.file(notes))
    #expect(try frames(song, "--from", "1s", "--to", "3s") == 2 * 48_000)
    #expect(try frames(song, "--to", "4s") == 4 * 48_000)
    #expect(try frames(song, "--to", "2s", "--solo", "2") == 2 * 48_000)
    // The song ends after 9.5 s.
    #expect(try frames(song, "--from", "8s") == 72_000)
    #expect(try frames(song, "--from", "8s", "--to", "1:00") == 72_000)
  }

  @Test(arguments: [
    (["--from", "10:00"], "--from 10:00: the song ends at 0:04 (try an earlier time)"),
    (["--from", "bar 999"], "--from bar 999: the song ends at 0:04 (try an earlier time)"),
    (["--from", "9:1", "--to", "10:1"], "--from 9:1: the song ends at 0:04 (try an earlier time)"),
    (["--ab", "5s,6s", "--loop=2"], "--ab 5s: the song ends at 0:04 (try an earlier time)"),
    (
      ["--from", "bar 2", "--to", "bar 1"],
      "--to bar 1: is not after --from bar 2 (the song ends at 0:04)"
    ),
    (["--to", "0"], "--to 0: is not after the beginning of the song (the song ends at 0:04)"),
  ])
  func `a part outside of the song is refused, and leaves no file`(
    flags: [String], reason: String
  ) throws {
    let song = try song()
    let run = try CommandRun(["render", song, "-o", scratch.path("out.wav")] + Self.dry + flags)
    #expect(run.status == 64)
    #expect(run.errors == "downbeat: \(song): \(reason)\n", "\(run.errors)")
    #expect(try scratch.names() == ["song.mid"])
  }

  @Test func `several songs are written to a folder, even if some fail`() throws {
    let one = try scratch.write("one.mid", SongBytes.notes(2, every: 480))
    let two = try scratch.write("two.mid", SongBytes.notes(3, every: 480))
    let bad = try scratch.write("bad.mid", Array("nothing".utf8))
    let folder = scratch.path("sounds")
    let run = try CommandRun(
      ["render", one, bad, two, "-o", folder, "--format", "flac"] + Self.dry)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("bad.mid"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["one.flac", "two.flac"])
    let again = try CommandRun(["render", one, "-o", folder] + Self.dry)
    #expect(again.status == 0, "\(again.errors)")
    #expect(FileManager.default.fileExists(atPath: folder + "/one.wav"))
    let twice = try CommandRun(["render", one, one, "-o", folder] + Self.dry)
    #expect(twice.status == 64)
    #expect(try CommandRun(["render", one, two, "-o", "-"] + Self.dry).status == 64)
  }

  @Test func `stems are written as a set`() throws {
    let song = try song()
    let stems = ["--stems", "channel", "--length", "1s"]
    func run(_ words: [String] = []) throws -> CommandRun {
      try CommandRun(["render", song, "-o", scratch.path("stems")] + stems + Self.dry + words)
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("stems")).sorted()
    }
    let set = ["channel-01.wav", "channel-02.wav", "channel-10.wav"]
    #expect(try run().status == 0)
    #expect(try names() == set)
    #expect(try run().status == 73)
    let track = scratch.path("stems/track-07-Bass.wav")
    try Data("old".utf8).write(to: URL(fileURLWithPath: track))
    #expect(try run(["--overwrite"]).status == 0)
    #expect(try names() == set)
    // A file that is not a stem must not be removed.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("stems/notes.txt")))
    let refused = try run(["--overwrite"])
    #expect(refused.status == 73)
    #expect(refused.errors.contains("notes.txt"), "\(refused.errors)")
    #expect(try names() == set + ["notes.txt"])
    #expect(try scratch.names() == ["song.mid", "stems"])
  }

  @Test func `a set of stems that cannot be finished leaves nothing`() throws {
    let script = "ulimit -f 100; \"$0\" render \"$1\" -o \"$2\" --stems channel \"${@:3}\""
    let run = try ToolRun(
      ["-c", script, ToolRun.command, try song(), scratch.path("stems")] + Self.dry,
      command: "/bin/bash")
    #expect(run.status == 74, "\(run.errors)")
    #expect(try scratch.names() == ["song.mid"])
  }

  @Test func `a song of years is refused at once, and one of hours is reported`() throws {
    // 4 000 000 quarter notes of 16 seconds.
    let tempo: [UInt8] = [0xFF, 0x51, 3, 0xF4, 0x24, 0x00]
    var events: [(delta: Int, bytes: [UInt8])] = [(0, tempo), (0, [0x90, 60, 100])]
    events.append((480, [0x80, 60, 0]))
    for _ in 0..<8 { events.append((240_000_000, [0xFF, 0x01, 1, 0x2E])) }
    let last: [(delta: Int, bytes: [UInt8])] = [(0, [0x90, 60, 100]), (1, [0x80, 60, 0])]
    events += last
    let years = try render(try scratch.write("years.mid", SongBytes.file(events)))
    #expect(years.status == 74, "\(years.errors)")
    #expect(years.errors.contains("for 740 days of sound"), "\(years.errors)")
    let hours = Array(events[..<3]) + [(120_000, [0xFF, 0x01, 1, 0x2E])] + last
    let song = try scratch.write("hours.mid", SongBytes.file(hours))
    // A limit on the size ends it soon.
    let script = "ulimit -f 100; \"$0\" render \"$1\" -o \"$2\" \"${@:3}\""
    let run = try ToolRun(
      ["-c", script, ToolRun.command, song, scratch.path("x.wav"), "--absolute-gain", "1"]
        + Self.dry, command: "/bin/bash")
    #expect(run.errors.contains("1 h 6 min of sound"), "\(run.errors)")
    #expect(try scratch.names() == ["hours.mid", "years.mid"])
  }

  @Test func `an output that is closed is an error`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(1, every: 480))
    let script = "\"$0\" render \"$1\" -o - \"${@:2}\" >&-"
    let run = try ToolRun(
      ["-c", script, ToolRun.command, song] + Self.dry, command: "/bin/bash")
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("standard output"))
  }
}
