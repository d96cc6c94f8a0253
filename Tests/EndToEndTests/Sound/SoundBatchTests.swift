// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound convert` of several files and by bitrates, and `sound cut`, as a shell sees them.
@Suite struct SoundBatchTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func wave(_ name: String, frames: Int = 4800) throws -> String {
    try folder.write(
      name,
      WaveBytes.file(frames: frames) { frame, channel in
        sin(Double(frame) / 20) * (channel == 0 ? 0.3 : -0.15)
      })
  }

  private func audio(_ name: String) throws -> WaveAudio {
    try #require(WaveAudio(try Data(contentsOf: folder.url.appendingPathComponent(name))))
  }

  @Test func `a folder gives a folder, and other files are reported and omitted`() throws {
    for name in ["album/a.wav", "album/more/b.wav", "album/more/notes.txt"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      _ = try wave(name)
    }
    _ = try folder.write("album/broken.wav", Array("RIFF".utf8))
    let line = ["sound", "convert", "album", "--output-dir", "out", "--format", "flac"]
    let run = try CommandRun(line + ["--threads", "2"], folder: folder.url)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("album/broken.wav: not a readable sound file"), "\(run.errors)")
    #expect(run.errors.contains("converted, 2 of 3"), "\(run.errors)")
    #expect(run.errors.contains("2 of 3 sounds converted in 0:0"), "\(run.errors)")
    let back = try CommandRun(
      ["sound", "convert", "out/more/b.flac", "-o", "b.wav"], folder: folder.url)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try audio("b.wav").channels[0].count == 4800)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out/broken.flac")))
    let again = try CommandRun(line + ["--json"], folder: folder.url)
    // Nothing was converted this time: the names are taken.
    #expect(again.status == 73, "\(again.errors)")
    #expect(again.text.contains(#""type":"refused""#))
    #expect(again.errors.contains("already exists (use --overwrite to replace it)"))
    #expect(!again.errors.contains("of sound"))
  }

  @Test func `several sounds want a folder, and none is lost to itself`() throws {
    let (a, b) = (try wave("a.wav"), try wave("b.wav"))
    #expect(try CommandRun(["sound", "convert", a, b, "-o", "-"]).status == 64)
    #expect(try CommandRun(["sound", "convert", a, b, "-o", a]).status == 73)
    #expect(try CommandRun(["sound", "convert", a]).status == 64)
    let itself = try CommandRun(["sound", "convert", a, "-o", a, "--overwrite"])
    #expect(itself.status == 73)
    #expect(itself.errors.contains("is also the input"), "\(itself.errors)")
    #expect(try audio("a.wav").channels[0].count == 4800)
  }

  @Test func `a bitrate and a quality are used, and refused for other formats`()
    throws
  {
    let source = try wave("a.wav", frames: 48_000)
    func size(_ name: String, _ words: String...) throws -> Int {
      let run = try CommandRun(
        ["sound", "convert", source, "-o", folder.path(name), "--overwrite"] + words)
      #expect(run.status == 0, "\(run.errors)")
      return try Data(contentsOf: folder.url.appendingPathComponent(name)).count
    }
    #expect(try size("a.mp3", "--bitrate", "64k") < size("b.mp3", "--bitrate", "256k"))
    #expect(try size("a.mp3", "--bitrate", "64") == size("b.mp3", "--bitrate", "64000"))
    #expect(try size("a.m4a", "--bitrate", "64k") < size("b.m4a", "--bitrate", "256000"))
    #expect(try size("a.ogg", "--quality", "0.1") < size("b.ogg", "--quality", "0.9"))
    for (name, words) in [
      ("a.flac", ["--bitrate", "64k"]), ("c.ogg", ["--bitrate", "64k"]),
      ("a.wv", ["--quality", "0.5"]), ("c.mp3", ["--quality", "2"]),
      ("c.mp3", ["--bitrate", "64k", "--quality", "0.5"]), ("c.mp3", ["--bitrate", "4"]),
    ] {
      let run = try CommandRun(["sound", "convert", source, "-o", folder.path(name)] + words)
      #expect(run.status == 64, "\(name) \(words): \(run.errors)")
      #expect(run.errors.contains(words[0]), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.flac")))
  }

  @Test func `a part is cut to the frame, of what is encoded without a decoder`() throws {
    let source = try wave("a.wav", frames: 48_000)
    for kind in ["flac", "m4a", "mp3"] {
      #expect(
        try CommandRun(["sound", "convert", source, "-o", folder.path("a.\(kind)")]).status == 0)
    }
    for name in ["a.wav", "a.flac", "a.m4a", "a.mp3"] {
      let part = folder.path("part-\(name)")
      let run = try CommandRun([
        "sound", "cut", folder.path(name), "-o", part, "--from", "10000smp", "--to", "0.5s",
      ])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.isEmpty, "\(run.errors)")
      let back = folder.path("back-\(name).wav")
      #expect(try CommandRun(["sound", "convert", part, "-o", back]).status == 0)
      #expect(try audio("back-\(name).wav").channels[0].count == 14_000, "\(name)")
    }
    let whole = try audio("a.wav").channels[0]
    #expect(try audio("back-a.flac.wav").channels[0] == Array(whole[10_000..<24_000]))
    #expect(try audio("back-a.wav.wav").channels[0] == Array(whole[10_000..<24_000]))
  }

  @Test(arguments: [
    (["--from", "2s"], 64, "is after the end of"),
    (["--from", "0.5s", "--to", "0.2s"], 64, "before --to"),
    ([], 64, "--from or --to"), (["--to", "-1s"], 64, "before the beginning"),
  ])
  func `a part that is not there is refused`(words: [String], status: Int32, told: String) throws {
    let source = try wave("a.wav", frames: 48_000)
    let run = try CommandRun(["sound", "cut", source, "-o", folder.path("part.wav")] + words)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(told), "\(run.errors)")
    #expect(try folder.names() == ["a.wav"])
  }
}
