// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import Foundation
import LV2Units
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Songs that plug-ins play.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/mda.lv2"), "mda-lv2 is not installed"))
struct LV2SongTests {
  private static let world = Result { try LV2World(bundles: ["/usr/lib/lv2/mda.lv2"]) }

  private static func unit(_ name: String, called own: String? = nil) throws -> LV2Unit {
    let world = try world.get()
    return try LV2Unit(
      world.plugin(named: name), in: world,
      configuration: LV2Configuration(rate: .hertz48000, buses: .stereo), name: own)
  }

  /// Chords for one instrument and a line for another.
  private static func song() throws -> MusicSequence {
    var chords = MusicTrack()
    var line = MusicTrack()
    for step in 0..<16 {
      let tick = Tick(Int64(step) * 240)
      for key in [48, 52, 55, 59] where step % 4 == 0 {
        let note = Note(1, Key(UInt8(key + step % 5)), velocity: 90, duration: 900)
        try chords.insert(.note(note), at: tick)
      }
      let note = Note(2, Key(UInt8(60 + step * 5 % 19)), velocity: 100, duration: 200)
      try line.insert(.note(note), at: tick)
    }
    line.settings.destination = "second"
    var song = MusicSequence()
    song.tracks = [chords, line]
    return song
  }

  private static func samples(threadCount: Int) throws -> [Float] {
    let renderer = try SongRenderer(
      song(), settings: SessionSettings(rate: .hertz48000),
      instruments: [unit("mda-epiano"), unit("mda-epiano", called: "second")],
      threadCount: threadCount)
    try renderer.addEffect(unit("mda-ambience"))
    var samples: [Float] = []
    try renderer.render { part, _ in
      for index in part.indices { samples.append(part[index]) }
      return true
    }
    return samples
  }

  @Test func `a piano plays a song to the same bytes on one core and on two`() throws {
    let one = try Self.samples(threadCount: 1)
    let two = try Self.samples(threadCount: 2)
    #expect(one.count == two.count && one.count > 2 * 4 * 48_000)
    let places = one.indices.filter { one[$0].bitPattern != two[$0].bitPattern }
    #expect(places.isEmpty, "\(places.count) samples differ, the first at \(places.first ?? 0)")
    #expect(one.contains { abs($0) > 0.05 })
  }
}
