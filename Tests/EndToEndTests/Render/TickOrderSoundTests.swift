// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The sound of songs with several events at the same tick, played by an organ, which sounds while
/// a note is held.
@Suite struct TickOrderSoundTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  typealias Song = (
    name: String, tracks: [[(delta: Int, bytes: [UInt8])]], sounds: [Bool]
  )

  /// Songs, and for each half second whether the organ sounds at its end.
  static let songs: [Song] = [
    (
      "pedal down, then velocity 0",
      [
        [(0, [0x90, 60, 90]), (480, [0xB0, 64, 127]), (0, [0x90, 60, 0]), (480, [0xB0, 64, 0])]
      ],
      [true, true, false]
    ),
    (
      "the pedal of an earlier track, and the note-off of a later one",
      [
        [(480, [0xB0, 64, 127]), (480, [0xB0, 64, 0])],
        [(0, [0x90, 60, 90]), (480, [0x80, 60, 0])],
      ], [true, true, false]
    ),
    (
      "note-off, then pedal down",
      [[(0, [0x90, 60, 90]), (480, [0x80, 60, 0]), (0, [0xB0, 64, 127])]],
      [true, false, false]
    ),
    (
      "all sound off after two note-ons",
      [
        [
          (480, [0x90, 60, 90]), (0, [0x90, 64, 90]), (0, [0xB0, 120, 0]), (480, [0x80, 60, 0]),
          (0, [0x80, 64, 0]),
        ]
      ], [false, false, false]
    ),
    (
      "off and on twice at one tick",
      [
        [
          (0, [0x90, 60, 90]), (480, [0x80, 60, 0]), (0, [0x90, 60, 90]), (0, [0x80, 60, 0]),
          (0, [0x90, 60, 90]), (480, [0x90, 60, 0]),
        ]
      ], [true, true, false]
    ),
    (
      "a note without length, and a long one in another track",
      [
        [(480, [0x90, 60, 90]), (0, [0x90, 60, 0])],
        [(480, [0x90, 60, 90]), (480, [0x80, 60, 0])],
      ], [false, true, false]
    ),
    (
      "a note-off in another track",
      [[(0, [0x90, 60, 90])], [(480, [0x90, 60, 0])]], [true, false, false]
    ),
    (
      "two notes of a track, released in two others",
      [
        [(0, [0x90, 60, 90]), (0, [0x90, 64, 90])], [(480, [0x80, 64, 0])],
        [(960, [0x80, 60, 0])],
      ], [true, true, false]
    ),
  ]

  @Test(arguments: songs.indices)
  func `events of one tick sound as the file has them`(index: Int) throws {
    let song = Self.songs[index]
    var tracks: [(name: String, events: [(delta: Int, bytes: [UInt8])])] = []
    for (number, events) in song.tracks.enumerated() {
      let program: [(delta: Int, bytes: [UInt8])] = number == 0 ? [(0, [0xC0, 19])] : []
      tracks.append((name: "", events: program + events))
    }
    tracks.append((name: "", events: [(1440, [0xFF, 1, 0])]))
    let input = try scratch.write("song.mid", SongBytes.file(tracks: tracks))
    let output = scratch.path("song.wav")
    let run = try CommandRun([
      "render", "--soundfont", "Soundfonts/Downbeat.sf2", input, "-o", output, "--no-reverb",
      "--no-chorus", "--absolute-gain", "1", "--bits", "float", "--tail", "1",
    ])
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    let levels = song.sounds.indices.map { half in
      let first = (half * sound.rate / 2) + sound.rate * 3 / 8
      let last = min(first + sound.rate / 10, sound.channels[0].count)
      guard first < last else { return Float(0) }
      return sound.channels[0][first..<last].map(abs).max() ?? 0
    }
    let loudest = levels.max() ?? 0
    let sounds = levels.map { $0 > 0.001 && $0 > loudest / 20 }
    #expect(sounds == song.sounds, "\(song.name): \(levels)")
  }

  @Test func `check does not call a note unreleased that another track releases`() throws {
    let song = SongBytes.file(tracks: [
      ("", [(0, [0x90, 60, 90])]), ("", [(480, [0x80, 60, 0])]),
    ])
    let run = try CommandRun(["check", try scratch.write("song.mid", song)])
    let text = String(decoding: run.output, as: UTF8.self)
    #expect(!text.contains("never released"), "\(text)")
  }
}
