// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import MIDIMessages
import MusicSequences
import MusicalTime

/// Reading, merging, writing and editing scores of a million events.
let smfSuite = Suite("smf") {
  let notes = try Score(SampleSong.notes(1_000_000))
  let mixed = try Score(SampleSong.mixed(1_000_000))
  let many = try Score(SampleSong.notes(10_000_000))
  return [
    notes.read("read notes, 1 M events"),
    mixed.read("read mixed, 1 M events"),
    many.read("read notes, 10 M events"),
    many.readOnTwoThreads("read notes, 10 M events, 2 threads"),
    notes.summarise("summarise notes"),
    notes.merge("merge notes for playing"),
    notes.writeVerbatim("write notes, unedited"),
    try notes.writeAnew("write notes, edited"),
    try mixed.writeAnew("write mixed, edited"),
    try notes.insert("insert into notes, a copy held"),
  ]
}

/// A file's bytes and what was read of them.
struct Score: Sendable {
  let bytes: [UInt8]
  let file: SequenceFile
  let events: Int

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    file = try SMFReader().read(bytes)
    events = try SequenceSummary(file).events
  }

  func read(_ name: String) -> Benchmark {
    Benchmark(name, "events", count: events) {
      let file = try SMFReader().read(bytes)
      return Int64(file.sequences[0].tracks.reduce(0) { $0 + $1.count })
    }
  }

  func readOnTwoThreads(_ name: String) -> Benchmark {
    Benchmark(name, "events", count: events) {
      let reader = SMFReader()
      let layout = try reader.layout(of: bytes)
      let tracks = parseOnTwoThreads(layout, reader)
      let file = try reader.assemble(layout, tracks)
      return Int64(file.sequences[0].tracks.reduce(0) { $0 + $1.count })
    }
  }

  func summarise(_ name: String) -> Benchmark {
    Benchmark(name, "events", count: events) { Int64(try SequenceSummary(file).events) }
  }

  func merge(_ name: String) -> Benchmark {
    Benchmark(name, "events", count: events) {
      var cursor = SequenceCursor(file.sequences[0])
      var sum: Int64 = 0
      while let event = cursor.next(before: Tick(.max)) { sum &+= event.tick.value }
      return sum
    }
  }

  func writeVerbatim(_ name: String) -> Benchmark {
    Benchmark(name, "events", count: events) { Int64(try SMFWriter().write(file).count) }
  }

  func writeAnew(_ name: String) throws -> Benchmark {
    let sequence = try SMFReader(keepsSource: false).read(bytes).sequences[0]
    return Benchmark(name, "events", count: events) {
      Int64(try SMFWriter().write(sequence).count)
    }
  }

  /// Inserts into one track of all the notes; each time another copy is held, as undo does.
  func insert(_ name: String) throws -> Benchmark {
    let merged = try SMFReader().read(
      try SMFWriter().write(file.sequences[0], format: .single)
    ).sequences[0].tracks[0]
    let end = merged.length.value
    return Benchmark(name, "inserts", count: 2_000) {
      var track = merged
      var held: [MusicTrack] = []
      for index in 0..<Int64(2_000) {
        held.append(track)
        let note = Note(Channel(index: 0), Key(60), duration: 1)
        try track.insert(.note(note), at: Tick(index * 7919 % end))
      }
      return Int64(track.count)
    }
  }
}
