// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound info`, `convert` and `formats`, as a shell sees them.
@Suite struct SoundTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test func `a sound goes through every kind of file and back with its length`() throws {
    let source = try wave(frames: 4800)
    for suffix in ["rf64", "w64", "aiff", "caf", "au", "flac", "ogg", "opus", "mp3", "m4a", "wv"] {
      let there = folder.path("a.\(suffix)")
      let back = folder.path("\(suffix).wav")
      #expect(try CommandRun(["sound", "convert", source, "-o", there]).status == 0, "\(suffix)")
      #expect(try CommandRun(["sound", "convert", there, "-o", back]).status == 0, "\(suffix)")
      let audio = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: back))))
      #expect(audio.channels[0].count == 4800, "\(suffix)")
      if !["ogg", "opus", "mp3", "m4a"].contains(suffix) {
        #expect(try contents(back) == (try contents(source)), "\(suffix)")
      }
    }
  }

  @Test func `Apple's lossless codec is exact, and ADTS is not shorter`() throws {
    let source = try wave(frames: 4800)
    for (name, words) in [("exact.m4a", ["--bits", "16"]), ("bare.aac", [])] {
      let there = folder.path(name)
      let back = folder.path("\(name).wav")
      let run = try CommandRun(["sound", "convert", source, "-o", there] + words)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try CommandRun(["sound", "convert", there, "-o", back]).status == 0, "\(name)")
      if name == "exact.m4a" { #expect(try contents(back) == (try contents(source))) }
      let audio = try #require(WaveAudio(try contents(back)))
      #expect(audio.channels[0].count >= 4800, "\(name)")
    }
  }

  @Test func `a conversion sets rate, bits and channels, and replaces on request only`() throws {
    let source = try wave(frames: 4800)
    let target = folder.path("b.wav")
    let line = ["sound", "convert", source, "-o", target, "--rate", "44100", "--channels", "1"]
    #expect(try CommandRun(line).status == 0)
    let audio = try #require(WaveAudio(try contents(target)))
    #expect(audio.rate == 44_100)
    #expect(audio.channels.map(\.count) == [4410])
    let again = try CommandRun(line)
    #expect(again.status == 73)
    #expect(again.errors == "downbeat: \(target): already exists (use --overwrite to replace it)\n")
    #expect(try CommandRun(line + ["--overwrite"]).status == 0)
  }

  @Test func `a conversion reads and writes pipes`() throws {
    let source = try wave(frames: 4800)
    let run = try CommandRun(
      ["sound", "convert", "-", "-o", "-", "--format", "wav"], input: contents(source))
    #expect(run.status == 0)
    #expect(run.output == (try contents(source)))
  }

  @Test func `info can read the output of render from a pipe`() throws {
    let song = try folder.write("song.mid", SongBytes.notes(2, every: 480))
    let render = try CommandRun(
      ["render", song, "-o", "-", "--soundfont", "Soundfonts/Downbeat.sf2"])
    #expect(render.status == 0, "\(render.errors)")
    let info = try CommandRun(["sound", "info", "-", "--json"], input: render.output)
    let object = try JSONSerialization.jsonObject(with: info.output) as? [String: Any]
    #expect(object?["rate"] as? Int == 48_000)
    #expect(object?["frames"] as? Int ?? 0 > 24_000)
  }

  @Test func `info describes a file as text and as JSON`() throws {
    let source = try wave(frames: 4800)
    let words = try CommandRun(["sound", "info", source])
    #expect(
      words.text == """
        \(source): WAV (Microsoft), Signed 16 bit PCM
          rate         48000 Hz
          channels     2, stereo
          length       0.100000 s (4800 frames)

        """)
    let json = try CommandRun(["sound", "info", "--json", source])
    let object = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect(object?["frames"] as? Int == 4800)
    #expect(object?["container"] as? String == "wav")
  }

  @Test func `a file that is not a sound is refused by name, with status 65 or 66`() throws {
    let text = try folder.write("text.wav", Array("RIFF but not for long".utf8))
    let refused = try CommandRun(["sound", "info", text])
    #expect(refused.status == 65)
    #expect(refused.errors.hasPrefix("downbeat: \(text): not a readable sound file: "))
    #expect(try CommandRun(["sound", "info", folder.path("none.wav")]).status == 66)
    #expect(try CommandRun(["sound", "convert", text, "-o", folder.path("x.flac")]).status == 65)
    #expect(try CommandRun(["sound", "convert", text, "-o", folder.path("x.doc")]).status == 64)
    #expect(try folder.names() == ["text.wav"])
  }

  /// Headers that state more data than the file has, less, none, or nonsense.
  @Test(arguments: [
    (4, 40, UInt32.max, 0), (2, 22, 0, 65), (2, 22, 1025, 65), (4, 24, 0, 65), (4, 24, 7, 0),
    (4, 24, 3_000_000, 0), (4, 40, 0, 0), (4, 4, 3, 0),
  ])
  func `a wrong header causes a refusal or a limited read`(
    size: Int, place: Int, value: UInt32, status: Int32
  ) throws {
    var bytes = [UInt8](try contents(wave(frames: 100)))
    for byte in 0..<size { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    let path = try folder.write("lie.wav", bytes)
    let run = try CommandRun(["sound", "convert", path, "-o", folder.path("lie.caf")])
    #expect(run.status == status, "\(run.errors)")
  }

  @Test func `formats lists every suffix that can be written`() throws {
    let text = try CommandRun(["sound", "formats"]).text
    for suffix in [
      "wav", "rf64", "w64", "aiff", "caf", "au", "flac", "ogg", "opus", "mp3", "m4a", "aac", "wv",
    ] {
      #expect(text.contains(".\(suffix)"))
    }
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// A stereo file of 16 bits at 48 000 Hz.
  private func wave(frames: Int) throws -> String {
    let bytes = WaveBytes.file(frames: frames) { frame, channel in
      sin(Double(frame) / 20) * (channel == 0 ? 0.3 : -0.15)
    }
    return try folder.write("source.wav", bytes)
  }
}
