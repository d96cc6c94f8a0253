// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import MIDIMessages
import MusicSequences
import MusicalTime

/// Edits of one track of a million notes, the old value held as undo does.
let editSuite = Suite("edit") {
  let song = try EditedSong(notes: 1_000_000)
  return [
    song.inserts(2_000),
    song.editBar("clear a bar") { try $0.clear(song.bar) },
    song.editBar("transpose a bar") { try $0.transpose(song.bar, by: 1) },
    song.edit("transpose all") { try $0.transpose(.allTicks, by: 1) },
    song.edit("quantise all") { try $0.quantize(.allTicks, to: try $0.grid(step: 120)) },
    song.edit("cut a bar in the middle") { try $0.cut(song.bar) },
    song.edit("insert time in the middle") {
      try $0.insertTime(1920, at: song.bar.lowerBound)
    },
    song.edit("delete time in the middle") { try $0.deleteTime(song.bar) },
    song.edit("scale all by 3/2") { try $0.scaleTime(.allTicks, by: Ratio(3, over: 2)) },
    song.edit("reverse all") { try $0.reverse() },
    song.edit("retime all") { try $0.retime(.allTicks, to: song.tempo) },
    song.edit("split by channel") { try $0.splitByChannel(track: 0) },
    song.edit("walk and remove every other") { try $0.tracks[0].edit { removeEveryOther(&$0) } },
  ]
}

@Sendable private func removeEveryOther(_ cursor: inout TrackCursor) {
  var isKept = false
  while cursor.next() != nil {
    isKept.toggle()
    if !isKept { cursor.remove() }
  }
}

/// A sequence of one long track.
private struct EditedSong {
  let sequence: MusicSequence
  let bar: Range<Tick>
  let tempo: Tempo
  private let notes: Int

  init(notes: Int) throws {
    self.notes = notes
    var track = MusicTrack()
    try track.insert(
      contentsOf: (0..<Int64(notes)).map { index in
        let note = Note(
          Channel(index: UInt8(index % 3)), Key(UInt8(36 + index % 60)), duration: 100)
        return TrackEvent(.note(note), at: Tick(index * 37))
      })
    var sequence = MusicSequence()
    sequence.tracks = [track]
    self.sequence = sequence
    let middle = track.length.value / 2
    bar = Tick(middle)..<Tick(middle + 1920)
    tempo = Tempo(microsecondsPerQuarter: 400_000) ?? .standard
  }

  /// One edit of a copy; the rate counts the notes of the track.
  func edit(
    _ name: String, _ change: @escaping @Sendable (inout MusicSequence) throws -> Void
  ) -> Benchmark {
    Benchmark(name, "notes", count: notes) {
      var copy = sequence
      try change(&copy)
      return copy.tracks.reduce(0) { $0 + Int64($1.count) }
    }
  }

  /// One edit of a bar in the middle; the rate counts edits.
  func editBar(
    _ name: String, _ change: @escaping @Sendable (inout MusicSequence) throws -> Void
  ) -> Benchmark {
    Benchmark(name, "edits", count: 1, run: edit(name, change).run)
  }

  /// Single inserts all over the track, before each of which the old value is kept.
  func inserts(_ count: Int) -> Benchmark {
    Benchmark("insert, an undo copy each", "inserts", count: count) {
      var track = sequence.tracks[0]
      let end = track.contentEnd.value
      for index in 0..<Int64(count) {
        let undo = track
        let note = Note(Channel(index: 0), Key(60), duration: 10)
        try track.insert(.note(note), at: Tick(index * 104_729 % end))
        guard undo.count + 1 == track.count else { return -1 }
      }
      return Int64(track.count)
    }
  }
}
