// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The level of songs from `render`.
@Suite struct RenderLevelTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func render(
    _ song: String, _ arguments: String..., font: String = "Soundfonts/Downbeat.sf2"
  ) throws -> WaveAudio {
    let output = scratch.path("out.wav")
    let run = try CommandRun(
      ["render", "--soundfont", font, song, "-o", output, "--overwrite"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    return try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
  }

  private func song(program: UInt8, velocity: UInt8 = 100, count: Int = 8) throws -> String {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, program])]
    for index in 0..<count {
      let key = UInt8(48 + index * 5 % 24)
      events += [(0, [0x90, key, velocity]), (480, [0x80, key, 64])]
    }
    return try scratch.write("song.mid", SongBytes.file(events))
  }

  @Test func `a gain is relative to the automatic level of a song`() throws {
    let song = try song(program: 19)
    let plain = try render(song)
    #expect(try render(song, "--gain", "0dB").channels == plain.channels)
    for same in ["0", "100%"] {
      #expect(try render(song, "--gain", same).channels == plain.channels, "\(same)")
    }
    let soft = try render(song, "--gain", "-6dB")
    #expect(try render(song, "--gain", "-6").channels == soft.channels)
    #expect(abs(plain.level - soft.level - 6) < 0.05)
    let fixed = try render(song, "--absolute-gain", "0.1", "--tail", "1")
    let louder = try render(song, "--absolute-gain", "-14dB", "--tail", "1")
    #expect(abs(louder.level - fixed.level - 6) < 0.05)
  }

  @Test func `a file of one channel has the mean of both`() throws {
    let song = try song(program: 19)
    let stereo = try render(song, "--absolute-gain", "0.1", "--bits", "float")
    let mono = try render(song, "--absolute-gain", "0.1", "--bits", "float", "--channels", "1")
    #expect(mono.channels.count == 1)
    let mean = zip(stereo.channels[0], stereo.channels[1]).map { ($0 + $1) / 2 }
    #expect(mono.channels[0] == mean)
    let levelled = try render(song, "--channels", "1", "--normalize", "-20")
    #expect(levelled.channels.count == 1)
    let refused = try CommandRun(["render", song, "-o", scratch.path("x.wav"), "--channels", "3"])
    #expect(refused.status == 64, "\(refused.errors)")
  }

  @Test func `gains that contradict one another are refused`() throws {
    let song = try song(program: 0)
    for words in [
      ["--gain", "1", "--absolute-gain", "1"], ["--gain", "1", "--normalize", "-1dB"],
      ["--absolute-gain", "1", "--normalize", "-20LUFS"],
    ] {
      let run = try CommandRun(["render", song, "-o", scratch.path("x.wav")] + words)
      #expect(run.status == 64, "\(run.errors)")
    }
  }

  /// Instruments whose levels differ between common fonts.
  ///
  /// Fonts that are not installed are skipped.
  @Test(arguments: [
    "Soundfonts/Downbeat.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "/usr/share/sounds/sf2/TimGM6mb.sf2",
  ])
  func `a song is at -16 LUFS with any font`(font: String) throws {
    guard font.hasPrefix("Soundfonts") || FileManager.default.fileExists(atPath: font) else {
      return
    }
    for (program, velocity) in [(0, 90), (24, 110), (48, 60), (19, 127)] as [(UInt8, UInt8)] {
      let sound = try render(try song(program: program, velocity: velocity), font: font)
      let loudness = try #require(LoudnessWitness(sound.channels).integrated)
      #expect(abs(loudness + 16) < 1, "program \(program): \(loudness) LUFS")
      #expect(sound.peak <= 0.8913, "program \(program): \(sound.peak)")
    }
  }

  /// A held organ, and one bar in which a kit strikes everything at once.
  @Test func `a song with single high peaks is softer, so that these are not limited`()
    throws
  {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, 19]), (0, [0xB0, 7, 30])]
    for _ in 0..<8 { events += [(0, [0x90, 60, 60]), (960, [0x80, 60, 64])] }
    events += [36, 38, 49, 57].map { (0, [0x99, $0, 127]) }
    events += [(960, [0x89, 36, 64])]
    let song = try scratch.write("peak.mid", SongBytes.file(events))
    let sound = try render(song)
    let loudness = try #require(LoudnessWitness(sound.channels).integrated)
    #expect((-20.2 ... -17).contains(loudness), "\(loudness) LUFS")
    let output = scratch.path("named.wav")
    let named = try CommandRun(["render", song, "-o", output, "--normalize", "-16LUFS"])
    #expect(named.errors.contains("the limiter reduced"), "\(named.errors)")
  }
}
