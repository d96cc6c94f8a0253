// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound join`, as a shell sees it.
@Suite struct JoinSoundTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func wave(_ name: String, frames: Int, pitch: Double = 20) throws -> String {
    try folder.write(
      name,
      WaveBytes.file(frames: frames) { frame, channel in
        sin(Double(frame) / pitch) * (channel == 0 ? 0.3 : -0.15)
      })
  }

  private func audio(_ name: String) throws -> WaveAudio {
    try #require(WaveAudio(try Data(contentsOf: folder.url.appendingPathComponent(name))))
  }

  private func run(_ words: String...) throws -> CommandRun {
    try CommandRun(["sound"] + words, folder: folder.url)
  }

  @Test(arguments: ["wav", "flac", "m4a"])
  func `waves are joined to the frame, bit for bit`(suffix: String) throws {
    _ = try wave("a.wav", frames: 30_001)
    _ = try wave("b.wav", frames: 4_099, pitch: 7)
    for name in ["a", "b"] where suffix != "wav" {
      let bits = ["--bits", "16"]
      #expect(
        try CommandRun(
          ["sound", "convert", "\(name).wav", "-o", "\(name).\(suffix)"] + bits, folder: folder.url
        ).status == 0)
    }
    let join = try run("join", "a.\(suffix)", "b.\(suffix)", "-o", "both.\(suffix)")
    #expect(join.status == 0 && join.errors.isEmpty, "\(join.errors)")
    #expect(try run("convert", "both.\(suffix)", "-o", "back.wav").status == 0)
    let (back, a, b) = (try audio("back.wav"), try audio("a.wav"), try audio("b.wav"))
    for channel in 0..<2 {
      #expect(back.channels[channel] == a.channels[channel] + b.channels[channel])
    }
  }

  @Test func `parts of an MP3 file are joined without a gap, and other gaps are reported`()
    throws
  {
    _ = try wave("a.wav", frames: 48_000)
    #expect(try run("convert", "a.wav", "-o", "a.mp3").status == 0)
    #expect(try run("cut", "a.mp3", "-o", "1.mp3", "--to", "20001smp").status == 0)
    #expect(try run("cut", "a.mp3", "-o", "2.mp3", "--from", "20001smp").status == 0)
    let join = try run("join", "1.mp3", "2.mp3", "-o", "both.mp3")
    #expect(join.status == 0 && join.errors.isEmpty, "\(join.errors)")
    for name in ["a", "both"] {
      #expect(try run("convert", "\(name).mp3", "-o", "back-\(name).wav").status == 0)
    }
    #expect(try audio("back-both.wav").channels[0] == (try audio("back-a.wav").channels[0]))
    let apart = try run("join", "a.mp3", "a.mp3", "-o", "twice.mp3")
    #expect(apart.status == 0)
    #expect(apart.errors.contains(" s before a.mp3"), "\(apart.errors)")
    let quiet = try run("join", "a.mp3", "a.mp3", "-o", "twice.mp3", "--overwrite", "--quiet")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
  }

  @Test func `a lossy format without packet support is re-encoded, which is reported`() throws {
    _ = try wave("a.wav", frames: 9_600)
    #expect(try run("convert", "a.wav", "-o", "a.ogg").status == 0)
    let join = try run("join", "a.ogg", "a.ogg", "-o", "both.ogg", "--json")
    #expect(join.status == 0, "\(join.errors)")
    #expect(join.errors.contains("re-encoded"), "\(join.errors)")
    #expect(join.text.contains(#""frames":19200"#), "\(join.text)")
  }

  @Test func `sounds that differ are refused with a suggestion`() throws {
    _ = try wave("a.wav", frames: 4_800)
    let options = [
      ["--rate", "44100"], ["--channels", "1"], ["--bits", "24"],
    ]
    for words in options {
      let made = try CommandRun(
        ["sound", "convert", "a.wav", "-o", "b.wav", "--overwrite"] + words, folder: folder.url)
      #expect(made.status == 0, "\(made.errors)")
      let join = try run("join", "a.wav", "b.wav", "-o", "both.wav")
      #expect(join.status == 64, "\(join.errors)")
      #expect(join.errors.hasPrefix("downbeat: b.wav: cannot be joined: it"), "\(join.errors)")
      #expect(join.errors.contains("(use downbeat sound convert \(words[0]) "), "\(join.errors)")
    }
    #expect(try run("join", "a.wav", "-o", "both.wav").status == 64)
    let itself = try run("join", "a.wav", "a.wav", "-o", "a.wav", "--overwrite")
    #expect(itself.status == 73 && itself.errors.contains("is an input file"))
    #expect(try run("join", "a.wav", "none.wav", "-o", "both.wav").status == 66)
    #expect(try folder.names() == ["a.wav", "b.wav"])
  }

  /// An AVI file of MP3 that claims 4 · 10¹⁸ frames, which only FFmpeg reads.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg"), "no ffmpeg"))
  func `files that claim more frames than a sum can hold are joined by what there is`() throws {
    let path = folder.url.appendingPathComponent("long.avi")
    let make = try ToolRun(
      ["-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=0.2", path.path],
      command: "/usr/bin/ffmpeg")
    try #require(make.status == 0, "\(make.errors)")
    var bytes = [UInt8](try Data(contentsOf: path))
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "strh".utf8) }) + 8
    // Scale, rate and length of the stream, the lowest byte first.
    for (offset, word) in [(20, 1 << 20), (24, 3), (32, 0x0FFF_FFFF)] {
      for byte in 0..<4 {
        bytes[header + offset + byte] = UInt8(truncatingIfNeeded: word >> (8 * byte))
      }
    }
    try Data(bytes).write(to: path)
    let join = try run("join", "long.avi", "long.avi", "long.avi", "-o", "all.wav")
    #expect(join.status == 0 && join.errors.isEmpty, "\(join.errors)")
    #expect(try audio("all.wav").channels[0].count >= 3 * 8_820)
    #expect(try run("info", "long.avi").text.contains("unknown"))
  }
}
