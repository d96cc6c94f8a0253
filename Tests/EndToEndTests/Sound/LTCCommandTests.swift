// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `ltc send` and `ltc watch`, as a shell sees them.
@Suite struct LTCCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func send(_ words: String, to name: String = "a.wav") throws -> String {
    let path = folder.path(name)
    let run = try CommandRun(
      ["ltc", "send", "-o", path] + words.split(separator: " ").map(String.init))
    try #require(run.status == 0, "\(words): \(run.errors)")
    return path
  }

  private func documents(_ run: CommandRun, _ type: String) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return (object as? [String: Any]).flatMap { $0["type"] as? String == type ? $0 : nil }
    }
  }

  private func frames(of path: String, _ more: String...) throws -> [[String: Any]] {
    let run = try CommandRun(["ltc", "watch", path, "--frames", "--json"] + more)
    #expect(run.status == 0, "\(run.errors)")
    return try documents(run, "frame")
  }

  /// Samples of one channel of 16 bits at 48 kHz, changed.
  private func changed(
    _ path: String, as name: String, _ change: (Int, Double) -> Double
  ) throws -> String {
    let audio = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: path))))
    let samples = audio.channels[0]
    let bytes = WaveBytes.file(frames: samples.count, channels: 1) { frame, _ in
      change(frame, Double(samples[frame]))
    }
    return try folder.write(name, bytes)
  }

  @Test(arguments: [
    (
      "24", "00:59:59:20",
      ["00:59:59:20", "00:59:59:21", "00:59:59:22", "00:59:59:23", "01:00:00:00"]
    ),
    ("25", "23:59:59:23", ["23:59:59:23", "23:59:59:24", "00:00:00:00"]),
    ("29.97", "00:00:59:28", ["00:00:59:28", "00:00:59:29", "00:01:00:00"]),
    ("29.97df", "00:00:59;28", ["00:00:59;28", "00:00:59;29", "00:01:00;02"]),
    ("30", "10:00:00:29", ["10:00:00:29", "10:00:01:00"]),
  ])
  func `what is written is read, each frame at its sample`(
    fps: String, from: String, labels: [String]
  ) throws {
    let path = try send("--fps \(fps) --from \(from) --for 3s")
    let frames = try frames(of: path)
    #expect(frames.prefix(labels.count).map { $0["label"] as? String } == labels)
    let rate = ["24": 24, "25": 25, "30": 30][fps] ?? 30_000 / 1001.0
    #expect(frames.count == Int((3 * rate).rounded(.up)))
    for (index, frame) in frames.enumerated() {
      let due = (Double(index) * 48_000 / rate).rounded(.up)
      #expect(abs((frame["sample"] as? Double ?? -9) - due) < 1, "\(index)")
    }
  }

  @Test func `an end is a label or a time, and a file has one channel at the level`() throws {
    let path = try send("--from 00:00:01:00 --to 00:00:02:00 --level -6dB --rate 44.1k")
    let frames = try frames(of: path)
    #expect(frames.count == 25 && frames.last?["label"] as? String == "00:00:01:24")
    let audio = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(audio.rate == 44_100 && audio.channels.count == 1)
    #expect(abs((audio.channels[0].map(abs).max() ?? 0) - 0.5012) < 0.001)
    // The first sample is the edge itself, and the same words give the same bytes.
    #expect(audio.channels[0].first == 0)
    let again = try send(
      "--from 00:00:01:00 --to 00:00:02:00 --level -6dB --rate 44.1k", to: "b.wav")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: again))
        == Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func `labels go backwards`() throws {
    let path = try send("--from 00:00:02:00 --to 00:00:01:00 --reverse")
    let frames = try frames(of: path)
    #expect(frames.count == 25 && frames.allSatisfy { $0["reversed"] as? Bool == true })
    #expect(frames.first?["label"] as? String == "00:00:02:00")
    #expect(frames.last?["label"] as? String == "00:00:01:01")
  }

  @Test func `it reports the state every second, and the totals at the end`() throws {
    let path = try send("--fps 29.97 --from 01:00:00:00 --for 4s")
    let run = try CommandRun(["ltc", "watch", path])
    let lines = run.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 6, "\(run.text)")
    #expect(lines[0] == "0.000 s  starts at 01:00:00:00, forwards, on channel 1")
    #expect(lines[3].hasPrefix("3.000 s  01:00:02:"), "\(lines[3])")
    #expect(lines[3].contains("at 29.97, speed 1.0000, peak -18.1 dB, 0 missing"), "\(lines[3])")
    #expect(lines[5] == "120 frames, 0 missing, 0 unconfirmed")
  }

  @Test func `missing frames are reported, and the others have the right labels`() throws {
    let path = try send("--from 01:00:00:00 --for 6s")
    let holed = try changed(path, as: "holed.wav") { frame, sample in
      (96_000..<105_000).contains(frame) || (192_000..<240_000).contains(frame) ? 0 : sample
    }
    let run = try CommandRun(["ltc", "watch", holed, "--json"])
    let events = try documents(run, "event")
    #expect(
      events.compactMap { $0["event"] as? String } == ["begins", "missing", "lost", "missing"])
    for frame in try frames(of: holed) {
      let number = Int(((frame["sample"] as? Double ?? 0) / 1920).rounded())
      let label = "01:00:0\(number / 25):" + (number % 25 < 10 ? "0" : "") + "\(number % 25)"
      #expect(frame["label"] as? String == label)
    }
  }

  @Test func `polarity, level and an offset change nothing, and one channel of two is found`()
    throws
  {
    let path = try send("--from 01:00:00:00 --for 2s")
    let labels = try frames(of: path).map { $0["label"] as? String }
    let upsideDown = try changed(path, as: "b.wav") { _, sample in 0.2 - sample / 4 }
    #expect(
      try frames(of: upsideDown).map { $0["label"] as? String }.suffix(48) == labels.suffix(48))
    let audio = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: path))))
    let beside = WaveBytes.file(frames: audio.channels[0].count) { frame, channel in
      channel == 0 ? 0.5 * sin(Double(frame) * 0.1) : Double(audio.channels[0][frame])
    }
    let stereo = try folder.write("c.wav", beside)
    let run = try CommandRun(["ltc", "watch", stereo, "--json"])
    #expect(try documents(run, "summary").first?["channel"] as? Int == 1)
    #expect(try documents(run, "summary").first?["frames"] as? Int == labels.count)
    #expect(try CommandRun(["ltc", "watch", stereo, "--channel", "1"]).status == 65)
  }

  @Test func `music, silence and noise are without labels`() throws {
    let song = try folder.write("song.mid", SongBytes.notes(8, every: 240))
    let sound = folder.path("song.wav")
    let font = "Soundfonts/Downbeat.sf2"
    #expect(try CommandRun(["render", song, "-o", sound, "--soundfont", font]).status == 0)
    var seed: UInt64 = 1
    let noise = WaveBytes.file(frames: 96_000, channels: 1) { _, _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: seed) >> 33) / 0x1p31
    }
    let silence = WaveBytes.file(frames: 48_000, channels: 1) { _, _ in 0 }
    for path in [
      sound, try folder.write("noise.wav", noise), try folder.write("silence.wav", silence),
    ] {
      let run = try CommandRun(["ltc", "watch", path, "--frames"])
      #expect(run.status == 65 && run.output.isEmpty, "\(path): \(run.text)")
      #expect(run.errors.contains("contains no linear time code"))
    }
  }

  @Test func `a pipe carries it, and a name that is taken stays as it is`() throws {
    let made = try CommandRun(["ltc", "send", "-o", "-", "--for", "1s"])
    #expect(made.status == 0)
    let read = try CommandRun(["ltc", "watch", "-", "--frames"], input: made.output)
    #expect(read.text.contains("00:00:00:24"), "\(read.errors)")
    let path = try folder.write("taken.wav", [1])
    let refused = try CommandRun(["ltc", "send", "-o", path, "--for", "1s"])
    #expect(refused.status == 73)
    #expect(refused.errors == "downbeat: \(path): already exists (use --overwrite to replace it)\n")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a file that a signal ends is not there, nor any part of it`(signal: Int32) throws {
    let run = try RunningTool(
      ["ltc", "send", "-o", folder.path("long.wav"), "--for", "20h"], folder: folder.url)
    // This must not suspend the thread: on a busy machine, it resumed only after the file was
    // complete.
    for _ in 0..<6000 where try folder.names().isEmpty { usleep(10_000) }
    #expect(try run.end(by: signal).signal == signal)
    #expect(try folder.names().isEmpty)
  }

  @Test func `a device takes it to its end`() throws {
    let run = try ToolRun(["ltc", "send", "--audio", "null", "--for", "0.5s", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains(#""event":"begin","command":"ltc send","device":"null""#))
    #expect(run.text.contains(#""event":"end","reason":"eof","exitStatus":0"#))
  }

  @Test(arguments: [
    ("ltc send -o x.wav", "needs a length"),
    ("ltc send -o x.wav --for 1s --to 1:00:00:00", "--to and --for"),
    ("ltc send --fps 50 --audio null", "use half the rate"),
    ("ltc send --fps 77 --audio null", "--fps 77"),
    ("ltc send --from abc --audio null", "--from abc"),
    ("ltc send --from 00:01:00;00 --fps 29.97df --audio null", "--from 00:01:00;00"),
    ("ltc send --level -90dB", "-50dB…0dB"),
    ("ltc send -o x.wav --audio hw:1 --for 1s", "cannot be used together"),
    ("ltc send -o x.wav --to 00:00:00:00", "same as the start"),
    ("ltc send --rate 8 --audio null", "8000…192000"),
    ("ltc watch x.wav --audio hw:1", "cannot be used with a file"),
    ("ltc watch x.wav --channel 0", "1…1024"),
  ])
  func `words without a meaning are refused with what would have one`(
    words: String, sentence: String
  ) throws {
    let run = try CommandRun(words.split(separator: " ").map(String.init), folder: folder.url)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(try folder.names().isEmpty)
  }
}
