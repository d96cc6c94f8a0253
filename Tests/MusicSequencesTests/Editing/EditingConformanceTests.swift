// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Checks of editing from the inventory of Core Audio's behaviour, each with its name there.
@Suite struct EditingConformanceTests {
  private func quarters(_ positions: [Double]) throws -> MusicTrack {
    try RandomScore.line(ticks: positions.map { Int64($0 * 480) }, lasting: 240)
  }

  @Test func `8 one-beat notes at 0…7: length 8; explicit length`() throws {
    var track = try RandomScore.line(ticks: (0..<8).map { $0 * 480 }, lasting: 480)
    #expect(track.length == 3840)
    track.explicitLength = 1920
    #expect(track.length == 3840)
    track.explicitLength = nil
    track.clear(3360..<3840)
    #expect(track.length == 3360)
    track = try RandomScore.line(ticks: (0..<8).map { $0 * 480 }, lasting: 480)
    track.explicitLength = 3840
    track.clear(3360..<3840)
    #expect(track.length == 3840)
  }

  @Test func `Clear [2,3) with notes at 1.99, 2.0, 2.99, 3.0`() throws {
    var track = try quarters([1.99, 2, 2.99, 3])
    track.clear(960..<1440)
    #expect(track.all.map(\.tick.value) == [955, 1440])
  }

  @Test func `Cut [2,3): the event at 3.0 moves to 2.0`() throws {
    var track = try quarters([1, 2, 2.5, 3, 4])
    track.cut(960..<1440)
    #expect(track.all.map(\.tick.value) == [480, 960, 1440])
  }

  @Test func `CopyInsert [0,2) at 1 onto the same track is a snapshot`() throws {
    var track = try quarters([0, 0.5, 1, 1.5, 2])
    try track.insert(track.excerpt(of: 0..<960), at: 480)
    #expect(track.all.map(\.tick.value) == [0, 240, 480, 720, 960, 1200, 1440, 1680, 1920])
  }

  @Test func `delete-while-iterating: every matching event removed, none skipped`() throws {
    var track = try quarters([0, 0, 1, 1, 1, 2, 3, 3])
    var met = 0
    try track.edit { cursor in
      while let event = cursor.next() {
        met += 1
        if event.tick == 480 || event.tick == 1440 { cursor.remove() }
      }
    }
    #expect(met == 8)
    #expect(track.all.map(\.tick.value) == [0, 0, 960])
  }

  @Test func `SetEventTime across the end: neighbours recomputed`() throws {
    let track = try quarters([0, 1, 2])
    var cursor = TrackCursor(track)
    _ = cursor.next()
    _ = cursor.next()
    cursor.move(to: 9600)
    // The cursor continues from its old place and does not return the moved event again.
    #expect(cursor.next()?.tick == 960)
    #expect(cursor.next() == nil)
    let moved = try cursor.finish()
    #expect(moved.all.map(\.tick.value) == [0, 960, 9600])
    #expect(moved.length == 9840)
  }

  @Test func `two tempo events at beat 0: the later inserted one counts, both stored`() throws {
    var sequence = MusicSequence()
    let tempi = try [90, 60].map {
      try Tempo.beatsPerMinute(Ratio($0), rounding: .nearest).value
    }
    for tempo in tempi { try sequence.insertTempo(tempo, at: 0) }
    #expect(sequence.tempoTrack.count == 2)
    #expect(try sequence.tempoMap.tempo(at: 0) == tempi[1])
  }

  @Test func `ChannelsToTracks on a format-0 file with channels 1, 10 and a SysEx`() throws {
    let file = try SMFReader(strict: true).read(
      SongBytes.file([
        (0, [0xFF, 0x51, 3, 0x07, 0xA1, 0x20]), (0, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]),
        (0, [0x90, 60, 64]), (0, [0x99, 36, 64]), (480, [0x80, 60, 64]), (0, [0x89, 36, 64]),
      ]))
    #expect(file.sequences[0].tracks.count == 1)
    let split = try #require(try file.sequences[0].converted(to: .simultaneous).first)
    #expect(split.tempoTrack.count == 1)
    #expect(split.tracks.count == 2 + 1)
    #expect(split.tracks.map(\.channels) == [[], [0], [9]])
  }
}
