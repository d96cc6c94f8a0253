// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Linear timecode that accompanies a rendering, and times from the timecode of a sound file.
@Suite struct LTCFileTests {
  private let folder: ScratchFolder
  private static let font = "Soundfonts/Downbeat.sf2"

  init() throws {
    folder = try ScratchFolder()
  }

  private func audio(_ path: String) throws -> WaveAudio {
    try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  private func frames(of path: String) throws -> [[String: Any]] {
    let run = try CommandRun(["ltc", "watch", path, "--frames", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    return try run.text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.filter { $0["type"] as? String == "frame" }
  }

  private func render(_ words: String...) throws -> CommandRun {
    let song = try folder.write("song.mid", SongBytes.notes(8, every: 480))
    return try CommandRun(["render", song, "--soundfont", Self.font] + words)
  }

  private func send(_ words: String, to name: String) throws -> String {
    let path = folder.path(name)
    let run = try CommandRun(
      ["ltc", "send", "-o", path] + words.split(separator: " ").map(String.init))
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  private func convert(_ path: String, _ words: String) throws -> CommandRun {
    try CommandRun(["convert", "--ltc", path] + words.split(separator: " ").map(String.init))
  }

  @Test(arguments: [("25", "01:00:00:00", 25.0), ("29.97df", "00:59:59;28", 30_000 / 1001.0)])
  func `timecode is written with the length of the song, from the given label`(
    fps: String, label: String, rate: Double
  ) throws {
    let (sound, code) = (folder.path("song.wav"), folder.path("code.wav"))
    let run = try render(
      "-o", sound, "--ltc", code, "--fps", fps, "--smpte-offset", label, "--json")
    try #require(run.status == 0, "\(run.errors)")
    #expect(try audio(sound).channels[0].count == audio(code).channels[0].count)
    #expect(try audio(code).channels.count == 1)
    let frames = try frames(of: code)
    #expect(frames.first?["label"] as? String == label && frames.count > 90)
    for (index, frame) in frames.enumerated() {
      let due = (Double(index) * Double(try audio(code).rate) / rate).rounded(.up)
      #expect(abs((frame["sample"] as? Double ?? -9) - due) < 1)
    }
    let outputs = run.text.split(separator: "\n").filter { $0.contains(#""type":"written""#) }
    #expect(outputs.count == 2 && outputs[1].contains("code.wav"), "\(run.text)")
  }

  @Test func `a part of a song has the labels of its position, even within a frame`() throws {
    let code = folder.path("code.wav")
    let run = try render(
      "-o", folder.path("part.wav"), "--ltc", code, "--from", "0.5s", "--smpte-offset",
      "01:00:00:00")
    try #require(run.status == 0, "\(run.errors)")
    // 0.5 s are 12 frames and a half: the thirteenth begins 20 ms later.
    let first = try #require(try frames(of: code).first)
    #expect(first["label"] as? String == "01:00:00:13")
    #expect(abs((first["seconds"] as? Double ?? 0) - 0.02) < 0.000_05, "\(first)")
  }

  @Test func `stems can have timecode, and an existing file is an error at the start`() throws {
    let code = folder.path("code.wav")
    let run = try render("-o", folder.path("stems"), "--stems", "channel", "--ltc", code)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try frames(of: code).first?["label"] as? String == "00:00:00:00")
    let again = try render("-o", folder.path("again.wav"), "--ltc", code)
    #expect(again.status == 73 && again.errors.contains("code.wav: already exists"))
    #expect(!(try folder.names().contains("again.wav")))
  }

  @Test(arguments: [
    (["--fps", "25"], "need --ltc FILE"), (["--ltc", "o.wav"], "a file other than the output"),
    (["--ltc", "./o.wav", "--overwrite"], "a file other than the output"),
    (["--ltc", "c.wav", "--count-in", "1"], "--count-in"),
    (["--ltc", "c.wav", "--fps", "50"], "use half the rate"),
    (["--ltc", "c.xyz"], "c.xyz"),
  ])
  func `unsuitable options are refused with a suggestion`(
    words: [String], sentence: String
  ) throws {
    let song = try folder.write("song.mid", SongBytes.notes(2, every: 480))
    let run = try CommandRun(
      ["render", song, "-o", "o.wav", "--soundfont", ToolRun.packageFolder.path + "/" + Self.font]
        + words, folder: folder.url)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(try folder.names() == ["song.mid"])
  }

  @Test func `times are converted by the labels of a sound file, to a sample`() throws {
    let take = try send("--fps 25 --from 01:00:00:00 --for 3s", to: "take.wav")
    #expect(try convert(take, "01:00:01:12 --to samples").text == "71040\n")
    #expect(try convert(take, "48000smp --to smpte").text == "01:00:01:00\n")
    #expect(try convert(take, "2s --to smpte").text == "01:00:02:00\n")
    let slow = try send("--fps 29.97 --from 00:00:00:00 --for 12s --rate 44.1k", to: "slow.wav")
    // 300 frames of 1001/30000 s.
    #expect(try convert(slow, "00:00:10:00 --to samples").text == "441441\n")
    let drop = try send("--fps 29.97df --from 00:00:59;20 --for 3s", to: "drop.wav")
    #expect(try convert(drop, "00:01:00;02 --to samples").text == "16016\n")
  }

  @Test func `a take that starts within a frame is located to a sample`() throws {
    let take = try send("--fps 25 --from 01:00:00:00 --for 3s", to: "take.wav")
    let samples = try audio(take).channels[0].dropFirst(1000).map(Double.init)
    let cut = try folder.write(
      "cut.wav", WaveBytes.file(frames: samples.count, channels: 1) { frame, _ in samples[frame] })
    #expect(try convert(cut, "01:00:01:00 --to samples").text == "47000\n")
  }

  @Test func `jumps of labels are reported, and a lack of labels, too`() throws {
    let take = try audio(try send("--from 01:00:00:00 --for 2s", to: "a.wav")).channels[0]
    let other = try audio(try send("--from 05:00:00:00 --for 2s", to: "b.wav")).channels[0]
    let both = (take[..<96_000] + other).map(Double.init)
    let path = try folder.write(
      "both.wav", WaveBytes.file(frames: both.count, channels: 1) { frame, _ in both[frame] })
    let run = try convert(path, "01:00:01:00 --to samples")
    #expect(run.status == 3 && run.text == "48000\n", "\(run.text)\(run.errors)")
    let told = "both.wav: its time code jumps at 2.000 s"
    #expect(run.errors.contains(told), "\(run.errors)")
    let silence = try folder.write(
      "silence.wav", WaveBytes.file(frames: 48_000, channels: 1) { _, _ in 0 })
    let none = try convert(silence, "1s")
    #expect(none.status == 65 && none.errors.contains("contains no linear time code"))
    let clash = try convert(path, "1s --rate 44.1k")
    #expect(
      clash.status == 64
        && clash.errors.contains("--ltc: the sound file sets time code and samples"))
  }
}
