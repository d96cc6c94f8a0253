// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound play`, `alert` and `record`, and kits of clips, as a shell sees them, on ALSA's own
/// devices without hardware: `null`, and one that writes a file.
@Suite struct SoundPlayTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The options for a device that writes a file of interleaved stereo samples with single
  /// precision.
  private var device: [String] { ["--audio", "file:FILE=\(folder.path("heard")),FORMAT=raw"] }

  private func heard() throws -> [Float] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("heard")))
    let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    // The device's buffer begins with silence, all but a period: three of 512 frames; and with one
    // the queue before a device that may take its time.
    let first = 4 * 512
    #expect(samples.prefix(2 * first).allSatisfy { $0 == 0 })
    return stride(from: 2 * first, to: samples.count, by: 2).map { samples[$0] }
  }

  /// Writes a file whose samples are ascending numbers.
  private func count(_ name: String, _ frames: Int, from first: Int = 1) throws -> String {
    try folder.write(
      name, WaveBytes.file(frames: frames) { frame, _ in Double(first + frame) / 32_767 })
  }

  private func numbers(_ samples: some Sequence<Float>) -> [Int] {
    samples.map { Int(($0 * 32_768).rounded()) }
  }

  private func play(_ words: String...) throws -> ToolRun {
    try ToolRun(["sound", "play"] + words + device, limit: 60)
  }

  @Test func `clips play at their frames, and each end is reported once`() throws {
    let click = try folder.write("click.wav", WaveBytes.click(frames: 480))
    let run = try play(
      click, click, click, "--at", "7smp", "--at", "1000smp", "--at", "12345smp", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let heard = try heard()
    #expect(heard.indices.filter { heard[$0] > 0.5 } == [7, 1000, 12_345])
    let ends = run.text.split(separator: "\n").filter { $0.contains(#""type":"clipEnd""#) }
    #expect(ends.count == 3)
    for end in [487, 1480, 12_825] {
      let words = #""file":"\#(click)","reason":"finished","frame":\#(end),"#
      #expect(run.text.components(separatedBy: words).count == 2)
    }
  }

  @Test func `sounds in order are reported like songs`() throws {
    let one = try count("a.wav", 20_000)
    let other = try count("b.wav", 500)
    let run = try play(one, other, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let names = ["begin", "start-file", "end-file", "start-file", "end-file", "end"]
    let events = run.text.split(separator: "\n").filter {
      $0.contains(#""type":"event""#) && !$0.contains(#""event":"progress""#)
    }
    try #require(events.count == names.count, "\(run.text)")
    for (event, name) in zip(events, names) { #expect(event.contains(#""event":"\#(name)""#)) }
    #expect(events[1].contains(#""path":"\#(one)","playlist-pos":0"#))
    #expect(events[4].contains(#""path":"\#(other)","playlist-pos":1,"reason":"eof""#))
  }

  @Test func `files are played in order, parts are repeated, standard input is a file`() throws {
    let one = try count("a.wav", 1000)
    let other = try count("b.wav", 500, from: 1001)
    #expect(try play(one, other).status == 0)
    #expect(numbers(try heard().prefix(1500)) == Array(1...1500))
    #expect(try play(one, "--from", "100smp", "--to", "150smp", "--loop", "3").status == 0)
    let part = Array(101...150)
    #expect(numbers(try heard().prefix(200)) == part + part + part + Array(repeating: 0, count: 50))
    let piped = try ToolRun(
      ["sound", "play", "-"] + device, input: Data(contentsOf: URL(fileURLWithPath: other)))
    #expect(piped.status == 0)
    #expect(numbers(try heard().prefix(500)) == Array(1001...1500))
  }

  @Test func `a pipe can have parts and repeats, and play together with files`()
    throws
  {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: count("a.wav", 1000)))
    let part = try ToolRun(
      ["sound", "play", "-", "--from", "100smp", "--to", "150smp", "--loop", "2"] + device,
      input: bytes, limit: 60)
    #expect(part.status == 0, "\(part.errors)")
    #expect(numbers(try heard().prefix(101)) == Array(101...150) + Array(101...150) + [0])
    let click = try folder.write("click.wav", WaveBytes.click(frames: 480))
    let both = try ToolRun(
      ["sound", "play", "-", click, "--at", "0s", "--at", "2000smp"] + device, input: bytes,
      limit: 60)
    #expect(both.status == 0, "\(both.errors)")
    #expect(numbers(try heard().prefix(1000)) == Array(1...1000))
    #expect(try heard()[2000] > 0.5)
    for input in ["", "no sound at all"] {
      let refused = try ToolRun(["sound", "play", "-", "--audio", "null"], input: Data(input.utf8))
      #expect(refused.status == 65)
      #expect(refused.errors.hasPrefix("downbeat: standard input: not a readable sound file: "))
    }
    let words = ["sound", "play", "-", "--complete-if-process-dies", "--audio", "null"]
    #expect(try ToolRun(words, input: bytes).status == 64)
  }

  /// An echo half a second behind a file of a hundredth, and a bend that is 32 frames late.
  @Test(arguments: [false, true])
  func `effects are played to their end, also in a list`(isList: Bool) throws {
    let click = try folder.write("click.wav", WaveBytes.click(frames: 480))
    let list = try folder.write("list.m3u", Array("click.wav\n".utf8))
    let effects = [
      "--effect", "saturation drive=0dB", "--effect", "delay time=0.5 feedback=0 mix=0.5",
    ]
    let run = try ToolRun(["sound", "play", isList ? list : click] + device + effects, limit: 60)
    #expect(run.status == 0, "\(run.errors)")
    let heard = try heard()
    let strokes = heard.indices.filter { heard[$0] > 0.2 }
    let first = try #require(strokes.first)
    #expect(strokes.contains(first + 24_000), "\(strokes.prefix(8))")
    if !isList { #expect((30...34).contains(first)) }
    #expect(try play(click).status == 0)
    #expect(try self.heard().count < heard.count)
  }

  @Test func `unknown effects are refused as by play`() throws {
    let click = try folder.write("click.wav", WaveBytes.click(frames: 480))
    let graph = try folder.write("bad.json", Array("{}".utf8))
    for (words, status, sentence) in [
      (["--effect", "revreb"], Int32(64), "did you mean reverb"),
      (["--effect", "lv2:"], 64, "the plug-in's name is missing"),
      (["--effect", "delay", "--graph", graph], 64, "leave one out"),
      (["--graph", graph], 65, "bad.json: type"),
      (
        ["--effect", "delay", "--complete-if-process-dies"], 64,
        "only --gain and --pan are allowed with it"
      ),
    ] {
      let run = try CommandRun(["sound", "play", click, "--audio", "null"] + words)
      #expect(run.status == status && run.errors.contains(sentence), "\(words): \(run.errors)")
    }
  }

  @Test func `gain, pan and speed`() throws {
    let path = try count("a.wav", 2000)
    #expect(try play(path, "--gain", "50%").status == 0)
    #expect(numbers(try heard()[1000..<1001]) == [501])
    #expect(try play(path, "--pan", "1").status == 0)
    #expect(try heard().allSatisfy { $0 == 0 })
    #expect(try play(path, "--speed", "2").status == 0)
    #expect(numbers(try heard()[500..<502]) == [1001, 1003])
    #expect(try heard()[1010...].allSatisfy { $0 == 0 })
  }

  @Test func `the sound files of a folder are played in the order of their names`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("album"), withIntermediateDirectories: true)
    _ = try count("album/10.wav", 480, from: 1001)
    _ = try count("album/2.wav", 480)
    _ = try folder.write("album/notes.txt", [65])
    let run = try play(folder.path("album"))
    #expect(run.status == 0, "\(run.errors)")
    let heard = numbers(try heard()).filter { $0 != 0 }
    #expect(heard == Array(1...480) + Array(1001...1480))
    let refused = try CommandRun(
      ["sound", "play", folder.path("album"), "--at", "0s", "--audio", "null"])
    #expect(refused.status == 64 && refused.errors.contains("with --at name the files"))
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: true)
    let none = try CommandRun(["sound", "play", folder.path("empty"), "--audio", "null"])
    #expect(none.status == 66, "\(none.errors)")
  }

  /// The last words of each command, and the start of its message.
  @Test func `input that cannot be played is refused with a sentence`() throws {
    let text = try folder.write("text.wav", Array("no sound at all".utf8))
    let empty = try folder.write("empty.wav", WaveBytes.file(frames: 0) { _, _ in 0 })
    let long = try folder.write(
      "long.wav", WaveBytes.file(frames: 31 * 8000, channels: 1, rate: 8000) { _, _ in 0 })
    let wide = try folder.write(
      "wide.wav", WaveBytes.file(frames: 10, channels: 1000) { _, _ in 0 })
    let slow = try folder.write("slow.wav", WaveBytes.file(frames: 10, rate: 7) { _, _ in 0 })
    let fast = try folder.write(
      "fast.wav", WaveBytes.file(frames: 10, rate: 3_000_000) { _, _ in 0 })
    let cases: [([String], Int32, String)] = [
      (["play", text], 65, "\(text): not a readable sound file: "),
      (["play", "none.wav"], 66, "none.wav: no such file\n"),
      (["play", empty], 65, "\(empty): contains no sound (0 frames)\n"),
      (["alert", empty], 65, "\(empty): contains no sound (0 frames)\n"),
      (
        ["alert", long], 65,
        "\(long): 31 s is too long for a system sound, at most 30 s (use an audio player)\n"
      ),
      (["play", wide], 65, "\(wide): has 1000 channels, at most 32 can be mixed "),
      (["alert", wide], 65, "\(wide): has 1000 channels, at most 32 can be mixed "),
      (["play", slow], 64, "cannot convert from 7 to 48000 Hz: "),
      (["play", fast], 64, "cannot convert from 3000000 to 48000 Hz: "),
      (["play", text, "--at", "1s", "--at", "2s"], 64, ""), (["play", text, "--pan", "2"], 64, ""),
      (["play", text, "--speed", "5"], 64, ""),
      (["record", "-o", folder.path("a.xyz")], 64, ""),
      (["record", "-o", folder.path("a.wav"), "--audio", "nothing"], 69, ""),
    ]
    for (words, status, start) in cases {
      let isPlay = words[0] != "record"
      let run = try CommandRun(["sound"] + words + (isPlay ? ["--audio", "null"] : []))
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.errors.hasPrefix("downbeat: \(start)") || start.isEmpty, "\(run.errors)")
    }
    #expect(try !folder.names().contains("a.wav"))
  }

  @Test func `each file is reported when it begins, with its length or part`() throws {
    let first = try folder.write(
      "first.wav", WaveBytes.file(frames: 2 * 8000, channels: 1, rate: 8000) { _, _ in 0.01 })
    let other = try folder.write(
      "other.wav", WaveBytes.file(frames: 3 * 8000, channels: 1, rate: 8000) { _, _ in 0.01 })
    let run = try play(first, other)
    #expect(
      run.errors.hasPrefix("downbeat: playing \(first), 0:02\ndownbeat: playing \(other), 0:03\n"),
      "\(run.errors)")
    let part = try play(other, "--from", "1s", "--to", "2s")
    #expect(part.errors.hasPrefix("downbeat: playing \(other), 0:01 to 0:02\n"), "\(part.errors)")
    let short = try folder.write(
      "short.wav", WaveBytes.file(frames: 4000, channels: 1, rate: 8000) { _, _ in 0.01 })
    let brief = try play(short)
    #expect(brief.errors.hasPrefix("downbeat: playing \(short), 0:00.5\n"), "\(brief.errors)")
    let late = try play(other, first, "--from", "2s")
    #expect(late.status == 64)
    #expect(
      late.errors == "downbeat: \(first): --from: is at or after the end, 0:02\n",
      "\(late.errors)")
    let together = try play(first, other, "--together")
    #expect(together.errors.hasPrefix("downbeat: playing 2 files at the same time\n"))
    let quiet = try play(first, "--quiet")
    #expect(!quiet.errors.contains("playing"), "\(quiet.errors)")
  }

  @Test func `missing files of a list are reported at the start, and the rest plays`() throws {
    let first = try count("first.wav", 1000)
    let missing = ["First.wav", "fist.wav", "gone.wav"].map { folder.path($0) }
    for mode in ["--loop=1", "--together"] {
      let run = try play(missing[0], first, missing[1], missing[2], "--json", mode)
      #expect(run.status == 3, "\(run.errors)")
      let question = " (did you mean \(first)?)"
      let sentences = [
        "\(missing[0]): no such file\(question)", "\(missing[1]): no such file\(question)",
        "\(missing[2]): no such file",
      ]
      #expect(run.errors.hasPrefix(sentences.map { "downbeat: \($0)\n" }.joined()), "\(run.errors)")
      #expect(run.text.contains(#""type":"clipEnd""#))
    }
    let list = try folder.write("list.m3u", Array("gone.wav\nfirst.wav\n".utf8))
    let listed = try play(list)
    #expect(listed.status == 3, "\(listed.errors)")
    #expect(listed.errors.hasPrefix("downbeat: \(missing[2]): no such file\n"))
    let none = try play(missing[2], folder.path("other.wav"))
    #expect(none.status == 66 && none.errors.split(separator: "\n").count == 2, "\(none.errors)")
  }

  @Test func `a file that is shorter than its header states is played to its end`() throws {
    let path = try count("a.wav", 1000)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let short = try folder.write("short.wav", Array(bytes.prefix(44 + 4 * 600)))
    let run = try play(short)
    #expect(run.status == 3, "\(run.errors)")
    #expect(numbers(try heard().prefix(601)) == Array(1...600) + [0])
  }

  @Test(arguments: ["chime", "ping", "knock", "pulse"])
  func `an alert sounds and ends; without a terminal no bell is written`(name: String) throws {
    let run = try ToolRun(["sound", "alert", name, "--bell", "--flash"] + device, limit: 60)
    #expect(run.status == 0)
    #expect(!run.errors.contains("\u{7}") && !run.errors.contains("\u{1B}"))
    #expect(run.output.isEmpty)
    let peak = try heard().reduce(0) { max($0, abs($1)) }
    #expect(peak > 0.1 && peak <= 1)
  }

  @Test func `another process plays what is to outlive this one`() throws {
    let path = try count("a.wav", 1000)
    let run = try play(path, "--complete-if-process-dies", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains(#""reason":"finished""#))
    #expect(numbers(try heard().prefix(1001)) == Array(1...1000) + [0])
    let failed = try ToolRun(
      ["sound", "play", path, "--complete-if-process-dies", "--audio", "nothing"], limit: 60)
    #expect(failed.status == 1)
    #expect(failed.errors.contains("the other process failed"))
  }

  @Test func `a recording has the requested length, and does not replace a file unasked`() throws {
    let path = folder.path("take.wav")
    let line = ["sound", "record", "-o", path, "--audio", "null", "--length", "4801smp"]
    #expect(try ToolRun(line, limit: 60).status == 0)
    let take = try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(take.channels.map(\.count) == [4801, 4801])
    #expect(try ToolRun(line, limit: 60).status == 73)
    #expect(try ToolRun(line + ["--overwrite", "--channels", "1"], limit: 60).status == 0)
  }

  @Test func `a device without a clock is recorded in real time`() throws {
    let line = ["sound", "record", "-o", folder.path("take.wav"), "--audio", "null"]
    let begin = ContinuousClock.now
    #expect(try ToolRun(line + ["--length", "500ms"], limit: 60).status == 0)
    #expect(ContinuousClock.now - begin > .milliseconds(450))
  }

  @Test func `notes with a pad start its file at their frames, instead of the synthesiser`()
    throws
  {
    let song = try folder.write("song.mid", SongBytes.notes(4, every: 480, channel: 9, key: 36))
    _ = try folder.write("click.wav", WaveBytes.click(frames: 100))
    let kit = try folder.write(
      "kit.json", Array(#"{"pads":[{"key":"kick","file":"click.wav","channel":10}]}"#.utf8))
    let line = ["--soundfont", "Soundfonts/Downbeat.sf2", "--clips", kit]
    let target = folder.path("song.wav")
    let run = try CommandRun(["render", song, "-o", target] + line)
    #expect(run.status == 0, "\(run.errors)")
    let audio = try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: target))))
    let strokes = audio.channels[0].indices.filter { audio.channels[0][$0] != 0 }
    #expect(strokes == [0, 24_000, 48_000, 72_000])
  }

  @Test func `an invalid kit is refused with the position of the fault`() throws {
    let song = try folder.write("song.mid", SongBytes.notes(4, every: 480, channel: 9, key: 36))
    let kit = folder.path("kit.json")
    let cases: [(String, Int32, String)] = [
      ("{", 65, "\(kit): not JSON: byte 1: "),
      ("[]", 65, "\(kit): contains no list named \"pads\"\n"),
      (
        #"{"pads":[{"key":"tom","file":"x"}]}"#, 65,
        "\(kit): pad 1: key 'tom': ambiguous: 41 Low Floor Tom, 43 High Floor Tom, 45 Low Tom, "
          + "47 Low-Mid Tom, …\n"
      ),
      (
        #"{"pads":[{"key":128,"file":"x"}]}"#, 65,
        "\(kit): pad 1: key: 128 is not a number in 0…127\n"
      ),
      (#"{"pads":[{"file":"x"}]}"#, 65, "\(kit): pad 1: key is missing\n"),
      (
        #"{"pads":[{"key":36.5,"file":"x"}]}"#, 65,
        "\(kit): pad 1: key: 36.5 is not a whole number\n"
      ),
      (#"{"pads":[{"key":36,"note":"x"}]}"#, 65, "\(kit): pad 1: note: unknown (key, "),
      (#"{"pads":[{"key":36,"file":"x.wav"}]}"#, 66, "\(folder.path("x.wav")): no such file"),
    ]
    for (text, status, start) in cases {
      _ = try folder.write("kit.json", Array(text.utf8))
      let run = try CommandRun(["render", song, "-o", folder.path("song.wav"), "--clips", kit])
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.hasPrefix("downbeat: \(start)"), "\(run.errors)")
    }
  }
}
