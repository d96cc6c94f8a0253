// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The options of `render`.
@Suite struct RenderOptionTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func render(_ song: String, _ arguments: String...) throws -> CommandRun {
    try CommandRun(["render", "--soundfont", "Soundfonts/Downbeat.sf2", song] + arguments)
  }

  private func sound(_ name: String) throws -> WaveAudio {
    try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))))
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
  }

  /// FluidSynth's attenuation and envelopes are those of its version.
  @Test func `Downbeat's voices are nearly equal to FluidSynth in loudness and length`() throws {
    let song = try dense()
    let engines = ["fluidsynth", "downbeat"]
    for engine in engines {
      let run = try render(
        song, "--engine", engine, "--absolute-gain", "0.3", "-o", scratch.path(engine + ".wav"))
      #expect(run.status == 0, "\(run.errors)")
    }
    let sounds = try engines.map { try sound($0 + ".wav").channels[0] }
    #expect(abs(sounds[0].count - sounds[1].count) <= 4_800)
    let powers = sounds.map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
    #expect(abs(10 * log10(powers[0] / powers[1])) < 0.5)
    #expect(try render(song, "--engine", "other").status == 64)
  }

  /// Twelve channels of long chords: more than one instrument's work.
  private func dense(velocity: UInt8 = 60) throws -> String {
    var events: [(delta: Int, bytes: [UInt8])] = []
    for channel in 0..<12 {
      events.append((0, [0xC0 | UInt8(channel == 9 ? 12 : channel), UInt8(channel * 5 + 16)]))
    }
    for bar in 0..<4 {
      for isStrike in [true, false] {
        for channel in 0..<12 where channel != 9 {
          for key in [48, 55, 64] {
            let isFirst = channel == 0 && key == 48
            let delta = isFirst && (bar > 0 || !isStrike) ? (isStrike ? 60 : 900) : 0
            let status: UInt8 = (isStrike ? 0x90 : 0x80) | UInt8(channel)
            events.append((delta, [status, UInt8(key + bar + channel), velocity]))
          }
        }
      }
    }
    return try scratch.write("dense.mid", SongBytes.file(events))
  }

  @Test func `a track that loops forever is rendered to the end of the song`() throws {
    let last: [UInt8] = [0, 0, 0, 0, 0, 0, 0x03, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0]
    let loop: [UInt8] =
      [0xFF, 0x7F, 30, 0x7D, 0x64, 0x62, 0x74, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0] + last
    let song = try scratch.write(
      "endless.mid",
      SongBytes.file([(0, loop), (0, [0x90, 60, 100]), (480, [0x80, 60, 64]), (480, [0xC0, 1])]))
    let run = try render(song, "-o", scratch.path("endless.wav"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sound("endless.wav").channels[0].count == 48_000)
  }

  @Test func `one thread and four give the same bytes`() throws {
    let song = try dense()
    for threads in ["1", "2", "4"] {
      let run = try render(song, "-o", scratch.path("\(threads).wav"), "--threads", threads)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try bytes("1.wav") == bytes("2.wav"))
    #expect(try bytes("1.wav") == bytes("4.wav"))
    #expect(try sound("1.wav").level > -40)
  }

  @Test(arguments: ["channel", "track"])
  func `stems add up to the mix`(choice: String) throws {
    let song = "Songs/rag.mid"
    let length = ["--length", "6s", "--absolute-gain", "1"]
    let mix = try CommandRun(
      ["render", "--soundfont", "Soundfonts/Downbeat.sf2", song, "-o", scratch.path("mix.wav")]
        + length)
    #expect(mix.status == 0, "\(mix.errors)")
    #expect(mix.warnings.isEmpty, "\(mix.errors)")
    let run = try CommandRun(
      [
        "render", "--soundfont", "Soundfonts/Downbeat.sf2", song, "-o", scratch.path("stems"),
        "--stems", choice,
      ] + length)
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("stems"))
    #expect(names.count > 2)
    #expect(names.contains("effects.wav"))
    #expect(names.allSatisfy { $0 == "effects.wav" || $0.hasPrefix(choice + "-") })
    let whole = try sound("mix.wav")
    let stems = try names.map { try sound("stems/\($0)") }
    for channel in 0..<2 {
      #expect(stems.allSatisfy { $0.channels[channel].count == whole.channels[channel].count })
      var worst: Float = 0
      for frame in whole.channels[channel].indices {
        let sum = stems.reduce(Float(0)) { $0 + $1.channels[channel][frame] }
        worst = max(worst, abs(sum - whole.channels[channel][frame]))
      }
      // Half a step of 16 bits for each file, and floating point's own.
      #expect(worst < Float(stems.count + 2) * 0.5 / 32768)
    }
  }

  @Test func `a soft and a loud song have the same level, unless a gain is given`() throws {
    var levels: [[Double]] = []
    for velocity in [40, 110] as [UInt8] {
      let song = try dense(velocity: velocity)
      #expect(try render(song, "-o", scratch.path("auto.wav"), "--overwrite").warnings.isEmpty)
      let plain = try render(
        song, "-o", scratch.path("plain.wav"), "--overwrite", "--absolute-gain", "0.1")
      #expect(plain.warnings.isEmpty)
      levels.append([try sound("auto.wav").level, try sound("plain.wav").level])
    }
    #expect(abs(levels[1][0] - levels[0][0]) < 2)
    #expect(levels[1][1] - levels[0][1] > 10)
  }

  @Test(arguments: [[], ["--gain", "-3dB"], ["--absolute-gain", "0.5"]])
  func `stems and live playback have the gain of the mix`(gain: [String]) throws {
    let song = try scratch.write("song.mid", SongBytes.notes(4, every: 480, program: 19))
    let dry = ["--no-reverb", "--no-chorus", "--soundfont", "Soundfonts/Downbeat.sf2"] + gain
    let heard = scratch.path("heard")
    let runs = [
      ["render", song, "-o", scratch.path("mix.wav")],
      ["render", song, "-o", scratch.path("stems"), "--stems", "channel"],
    ]
    for words in runs {
      let run = try CommandRun(words + dry)
      #expect(run.status == 0, "\(run.errors)")
    }
    let play = ["play", song, "-q", "--audio", "file:FILE=\(heard),FORMAT=raw"]
    let player = try ToolRun(play + dry, limit: 60)
    #expect(player.status == 0, "\(player.errors)")
    let peak = try sound("mix.wav").peak
    #expect(peak > 0.02)
    #expect(abs(try sound("stems/channel-01.wav").peak - peak) < 0.001)
    let raw = try bytes("heard")
    let played = unsafe raw.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let ratio = played.reduce(0) { max($0, abs($1)) } / peak
    // The level of live playback is estimated, unless the gain is absolute.
    #expect(abs(20 * log10(Double(ratio))) < (gain.first == "--absolute-gain" ? 0.01 : 4))
  }

  @Test func `a peak is reached, and so is a loudness`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(8, every: 480, program: 19))
    let peak = try render(song, "-o", scratch.path("peak.wav"), "--normalize", "-1dB")
    #expect(peak.status == 0, "\(peak.errors)")
    let reached = 20 * log10(Double(try sound("peak.wav").peak))
    #expect(reached < -0.95 && reached > -1.4)
    for (name, level) in [("soft.wav", "-23LUFS"), ("loud.wav", "-17LUFS")] {
      let run = try render(song, "-o", scratch.path(name), "--normalize", level)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(abs(try sound("loud.wav").level - sound("soft.wav").level - 6) < 0.05)
    let refused = try render(song, "-o", scratch.path("x.wav"), "--normalize", "loud")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("-16LUFS"))
  }

  @Test(arguments: [-60, -30, -1])
  func `a peak is reached from far above and far below, from the first frame on`(
    decibels: Int
  ) throws {
    for velocity in [1, 127] as [UInt8] {
      let run = try render(
        dense(velocity: velocity), "-o", scratch.path("\(velocity).wav"), "--normalize",
        "\(decibels)dB")
      #expect(run.status == 0, "\(run.errors)")
      let reached = 20 * log10(Double(try sound("\(velocity).wav").peak))
      #expect(abs(reached - Double(decibels)) < 0.5, "velocity \(velocity): \(reached) dB")
    }
  }

  @Test func `a song is not overwritten by its own sound, nor anything by a file of no length`()
    throws
  {
    let bytes = SongBytes.notes(2, every: 480)
    let song = try scratch.write("song.mid", bytes)
    let own = try render(song, "-o", song, "--overwrite", "--format", "wav")
    #expect(own.status == 73)
    #expect(own.errors.contains("is also the input"))
    #expect(try [UInt8](FileContent.data(song)) == bytes)
    let empty = try render(song, "-o", scratch.path("x.wav"), "--length", "0s")
    #expect(empty.status == 64, "\(empty.errors)")
    #expect(try scratch.names() == ["song.mid"])
  }

  @Test func `a tail has the requested length`() throws {
    // Four notes at intervals of half a second. The last is released at 1.75 s, at the end of the
    // track.
    let song = try scratch.write("song.mid", SongBytes.notes(4, every: 480, program: 19))
    var lengths: [String: Int] = [:]
    for tail in ["auto", "exact", "none", "2"] {
      let run = try render(song, "-o", scratch.path("\(tail).wav"), "--tail", tail)
      #expect(run.status == 0, "\(run.errors)")
      lengths[tail] = try sound("\(tail).wav").channels[0].count
    }
    #expect(lengths["exact"] == 84_000)
    #expect(abs(try #require(lengths["none"]) - 84_000) < 64)
    #expect(abs(try #require(lengths["2"]) - 180_000) < 64)
    #expect(try #require(lengths["auto"]) > 84_000)
  }

  @Test func `peaks that are too loud are limited, not clipped, and that is reported`() throws {
    let song = try dense(velocity: 127)
    let run = try render(song, "-o", scratch.path("loud.wav"), "--gain", "12dB")
    let soft = try render(song, "-o", scratch.path("soft.wav"), "--gain", "-12dB")
    #expect(soft.status == 0, "\(soft.errors)")
    let line = soft.errors.split(separator: "soft.wav: ").last.map(String.init) ?? ""
    #expect(line.wholeMatch(of: /0:0\d(\.\d)?, -\d\d\.\d LUFS\n/) != nil, "\(soft.errors)")
    #expect(run.status == 0)
    #expect(run.errors.contains("LUFS, the limiter reduced peaks by up to"), "\(run.errors)")
    // With the suggested gain, nothing is limited.
    let words = run.errors.split(separator: "try --gain ")
    let remedy = try #require(words.last?.split(separator: ")").first)
    let milder = try render(song, "-o", scratch.path("milder.wav"), "--gain", String(remedy))
    #expect(!milder.errors.contains("limiter"), "\(milder.errors)")
    let loud = try sound("loud.wav")
    #expect(loud.peak > 0.8)
    // Clipping would leave runs of samples at full scale.
    let left = loud.channels[0]
    let flat = left.indices.dropFirst().filter {
      abs(left[$0]) > 0.9999 && left[$0] == left[$0 - 1]
    }
    #expect(flat.count < 10)
  }

  @Test func `standard output gets the same bytes as a file`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 480))
    #expect(try render(song, "-o", scratch.path("song.wav")).status == 0)
    let run = try render(song, "-o", "-")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.output == bytes("song.wav"))
    let flac = try render(song, "-o", "-", "--format", "flac")
    #expect(flac.output.prefix(4) == Data("fLaC".utf8))
  }

  @Test func `markers of the song are markers of the file`() throws {
    let marker = Array("verse".utf8)
    let song = try scratch.write(
      "song.mid",
      SongBytes.file([
        (0, [0x90, 60, 90]), (480, [0xFF, 0x06, UInt8(marker.count)] + marker),
        (480, [0x80, 60, 64]),
      ]))
    for name in ["song.wav", "song.aiff"] {
      #expect(try render(song, "-o", scratch.path(name)).status == 0)
      let info = try CommandRun(["sound", "info", scratch.path(name)])
      #expect(info.text.contains("24000"), "\(info.text)")
      #expect(info.text.contains("verse"), "\(info.text)")
    }
  }

  @Test func `flags that contradict one another are refused`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 480))
    let loud = try render(song, "-o", "x", "--stems", "track", "--normalize", "-1dB")
    #expect(loud.status == 64)
    #expect(try render(song, "-o", "-", "--stems", "track").status == 64)
    #expect(try render(song, "-o", "x.wav", "--stems", "voice").status == 64)
    #expect(try render(song, "-o", "x.wav", "--tail", "long").status == 64)
    #expect(try render(song, "-o", "x.wav", "--threads", "0").status == 64)
  }
}
