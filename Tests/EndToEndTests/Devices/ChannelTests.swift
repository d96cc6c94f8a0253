// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Devices of more than two channels, without a sound card: files, and what ALSA's configuration makes.
@Suite struct ChannelTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  /// A melody in its first half second, and a bass in the third.
  private func song() throws -> String {
    try scratch.write(
      "song.mid",
      SongBytes.file(tracks: [
        ("Melody", [(0, [0x90, 60, 100]), (240, [0x80, 60, 64])]),
        ("Bass", [(1440, [0x90, 40, 100]), (240, [0x80, 40, 64])]),
      ]))
  }

  /// For each channel of a file of samples, the seconds of its first and last sound; nil for silence.
  private func sounds(_ path: String, channels: Int) throws -> [ClosedRange<Double>?] {
    let bytes = [UInt8](try FileContent.data(path))
    let frames = bytes.count / (4 * channels)
    return unsafe bytes.withUnsafeBytes { bytes in
      (0..<channels).map { channel in
        let heard = (0..<frames).filter { frame in
          let place = 4 * (frame * channels + channel)
          return abs(unsafe bytes.loadUnaligned(fromByteOffset: place, as: Float.self)) > 0.001
        }
        guard let first = heard.first, let last = heard.last else { return nil }
        return Double(first) / 48_000...Double(last) / 48_000
      }
    }
  }

  private func play(_ words: [String], to path: String) throws -> ToolRun {
    try ToolRun(
      ["play", song(), "--audio", "file:FILE=\(path),FORMAT=raw", "--soundfont", font, "-q"]
        + ["--no-reverb", "--no-chorus"] + words, limit: 60)
  }

  @Test func `a song goes to the channels that are mapped, and a track to its own`() throws {
    let path = scratch.path("six.raw")
    let run = try play(["--map", "3,4", "--route", "bass=6,1"], to: path)
    #expect(run.status == 0, "\(run.errors)")
    let sounds = try sounds(path, channels: 6)
    #expect(sounds.map { $0 != nil } == [true, false, true, true, false, true])
    let (melody, bass) = (try #require(sounds[2]), try #require(sounds[5]))
    // However long the device took to begin.
    let distance = bass.lowerBound - melody.lowerBound
    #expect(abs(distance - 1.5) < 0.1, "\(distance)")
  }

  @Test func `with a map alone everything is on two channels`() throws {
    let path = scratch.path("four.raw")
    let run = try play(["--map", "4,2"], to: path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sounds(path, channels: 4).map { $0 != nil } == [false, true, false, true])
  }

  @Test func `a device of eight channels is opened with eight, and has no ninth`() throws {
    // What a card of eight channels and no other number is to whoever opens it.
    let slaves = (0..<8).map { "bindings.\($0) { slave a channel \($0) }" }.joined(separator: "\n")
    let heard = scratch.path("eight.raw")
    let configuration = try scratch.write(
      "asound.conf",
      Array(
        """
        pcm.eight { type multi
          slaves.a { pcm { type file slave.pcm { type null } file "\(heard)" format raw } channels 8 }
          \(slaves)
        }
        """.utf8))
    let environment = ["ALSA_CONFIG_PATH": configuration]
    let words = ["play", try song(), "--audio", "eight", "--soundfont", font, "-q"]
    let run = try ToolRun(words + ["--map", "3,5"], environment: environment, limit: 60)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try sounds(heard, channels: 8).map { $0 != nil }
        == [false, false, true, false, true, false, false, false])
    let beyond = try ToolRun(words + ["--map", "8,9"], environment: environment)
    #expect(beyond.status == 64)
    #expect(
      beyond.errors == "downbeat: eight: channel 9 does not exist (choose 1 to 8)\n",
      "\(beyond.errors)")
  }

  @Test(arguments: [
    (["--map", "3"], "--map 3: must be two channels in 1…64 (try 3,4)"),
    (["--map", "0,1"], "--map 0,1: must be two channels in 1…64 (try 3,4)"),
    (["--map", "4,4"], "--map 4,4: left and right must differ (try 3,4)"),
    (
      ["--route", "2=2,3"],
      "--route 2,3: channel 2 is already used by the mix (to move the mix: --map)"
    ),
    (
      ["--route", "1=3,4", "--route", "2=5,4"],
      "--route 5,4: channel 4 is already used by another route"
    ),
    (["--route", "2"], "--route 2: not TRACKS=LEFT,RIGHT (try 2=3,4)"),
    (["--route", "7=3,4"], "--route 7=3,4: the song has only 2 tracks"),
    (
      ["--route", "Drums=3,4"],
      "--route Drums=3,4: no track has that name ('Melody', 'Bass')"
    ),
    (["--route", "1-2=3,4", "--route", "2=5,6"], "--route: track 2 has two routes (give it one)"),
    (["--route", "2=3,4", "-p", "nowhere"], "--route: the synthesiser is not used (add --synth)"),
  ])
  func `what cannot be mapped or routed is one sentence`(words: [String], sentence: String) throws {
    let run = try play(words, to: "/dev/null")
    #expect(run.status == 64)
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }
}
