// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Sounds that were cut off, and input without an end.
@Suite struct CutSoundTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A sound of 52,800 frames of a kind, whole, and without its last third.
  private func cut(_ suffix: String) throws -> (whole: String, cut: String) {
    let noise = WaveBytes.file(frames: 52_800) { frame, channel in
      Double((frame &* 7919 &+ channel &* 104_729) % 2003) / 8012 - 0.125
    }
    let source = try folder.write("source.wav", noise)
    let whole = folder.path("whole.\(suffix)")
    try #require(
      try CommandRun(["sound", "convert", source, "-o", whole]).status == 0, "\(suffix)")
    let bytes = [UInt8](try FileContent.data(whole))
    return (whole, try folder.write("cut.\(suffix)", Array(bytes.prefix(bytes.count * 2 / 3))))
  }

  @Test(arguments: ["wav", "rf64", "w64", "aiff", "caf", "au", "flac", "ogg", "opus", "mp3"])
  func `a truncated sound is reported, and refused with --strict`(
    suffix: String
  ) throws {
    let (whole, cut) = try cut(suffix)
    let good = try CommandRun([
      "sound", "convert", whole, "-o", folder.path("good.wav"), "--strict",
    ])
    #expect(good.status == 0 && good.errors.isEmpty, "\(good.errors)")
    let info = try CommandRun(["sound", "info", whole, "--json"])
    #expect(info.status == 0 && info.text.contains(#""shortfall":null"#), "\(info.text)")
    let run = try CommandRun(["sound", "convert", cut, "-o", folder.path("out.wav")])
    // libsndfile takes nothing of these without their end.
    guard !["caf", "opus"].contains(suffix) else {
      #expect(run.status == 65, "\(suffix): \(run.errors)")
      return #expect(run.errors.hasPrefix("downbeat: \(cut): cut off: "), "\(run.errors)")
    }
    #expect(run.status == 3, "\(suffix): \(run.errors)")
    // libmpg123 prints a message before it.
    #expect(run.errors.contains("downbeat: \(cut): cut off: "), "\(run.errors)")
    if !["flac", "ogg", "opus", "mp3"].contains(suffix) {
      #expect(run.errors.contains(" of 52800 frames are missing"), "\(run.errors)")
    }
    #expect(try folder.names().contains("out.wav"))
    let strict = try CommandRun(
      ["sound", "convert", cut, "-o", folder.path("strict.wav"), "--strict"])
    #expect(strict.status == 65, "\(strict.errors)")
    #expect(try !folder.names().contains("strict.wav"))
    let told = try CommandRun(["sound", "info", cut])
    #expect(told.status == 3 && told.errors.contains("cut off: "), "\(told.errors)")
    let alert = try ToolRun(["sound", "alert", cut, "--audio", "null"])
    let play = try ToolRun(["sound", "play", cut, "--audio", "null", "--speed", "4"])
    #expect(play.status == 3, "\(suffix): \(play.errors)")
    if suffix != "flac" {
      #expect(alert.status == 3 && alert.errors.contains("cut off: "), "\(alert.errors)")
    }
  }

  @Test func `input that is not a sound is refused before it fills the disk`() throws {
    for line in [["info", "/dev/zero"], ["convert", "/dev/zero", "-o", folder.path("a.wav")]] {
      let run = try ToolRun(["sound"] + line, limit: 30)
      #expect(run.status == 65, "\(run.errors)")
      #expect(run.errors.hasPrefix("downbeat: /dev/zero: not a readable sound file"))
    }
  }

  @Test func `a kit loads a file once, and reports its size limit`() throws {
    _ = try folder.write("a.wav", WaveBytes.file(frames: 48_000 * 20) { _, _ in 0.1 })
    let pads = (0..<2000).map { #"{"key":\#($0 % 128),"file":"\#($0 % 2 == 0 ? "" : "./")a.wav"}"# }
    let text = "{\"pads\":[\(pads.joined(separator: ","))]}"
    let kit = try folder.write("kit.json", Array(text.utf8))
    let song = try folder.write("song.mid", SongBytes.notes(1, every: 48))
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let line = ["render", song, "--clips", kit, "-o", folder.path("out.wav"), "--soundfont", font]
    #expect(try CommandRun(line).status == 0)
    for copy in 0..<80 {
      try FileManager.default.copyItem(
        atPath: folder.path("a.wav"), toPath: folder.path("\(copy).wav"))
    }
    let many = (0..<80).map { #"{"key":\#($0),"file":"\#($0).wav"}"# }
    _ = try folder.write("kit.json", Array("{\"pads\":[\(many.joined(separator: ","))]}".utf8))
    let refused = try CommandRun(line + ["--overwrite"])
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(refused.errors.contains("the sounds of the kit exceed 512 MB"))
  }
}
