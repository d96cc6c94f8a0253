// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The first and last notes of several sequences.
struct NoteEnds {
  private static let wanted = 3

  private(set) var first: [SequenceSummary.PlacedNote] = []
  private(set) var last: [SequenceSummary.PlacedNote] = []

  /// Examines both ends of each track of a sequence.
  mutating func add(
    _ sequence: MusicSequence, firstTrack: Int, _ map: TempoMap
  ) throws(SequenceError) {
    var early: [(record: EventRecord, track: Int)] = []
    var late: [(record: EventRecord, track: Int)] = []
    for (index, track) in sequence.tracks.enumerated() {
      early += Self.notes(track.records, fromEnd: false).map { ($0, firstTrack + index) }
      late += Self.notes(track.records, fromEnd: true).reversed().map { ($0, firstTrack + index) }
    }
    // A stable sort keeps the order of tracks, and the order of events in a track, at one tick.
    let sorted = early.sorted { $0.record.tick < $1.record.tick }.prefix(Self.wanted)
    first = Self.merge(first, sorted.map { Self.place($0.record, $0.track, map) })
    let sortedLate = late.sorted { $0.record.tick < $1.record.tick }.suffix(Self.wanted)
    last = Self.merge(last, sortedLate.map { Self.place($0.record, $0.track, map) }, fromEnd: true)
  }

  private static func notes(_ list: RecordList, fromEnd: Bool) -> [EventRecord] {
    var found: [EventRecord] = []
    for offset in list.chunks.indices {
      let chunk = list.chunks[fromEnd ? list.chunks.count - 1 - offset : offset]
      for index in chunk.indices {
        let record = chunk[fromEnd ? chunk.count - 1 - index : index]
        guard record.isNote else { continue }
        found.append(record)
        if found.count == wanted { return found }
      }
    }
    return found
  }

  private static func place(
    _ record: EventRecord, _ track: Int, _ map: TempoMap
  ) -> SequenceSummary.PlacedNote {
    let tick = Tick(Int64(record.tick))
    return SequenceSummary.PlacedNote(
      seconds: map.seconds(at: tick), tick: tick, track: track, note: Note(record))
  }

  private static func merge(
    _ old: [SequenceSummary.PlacedNote], _ new: [SequenceSummary.PlacedNote],
    fromEnd: Bool = false
  ) -> [SequenceSummary.PlacedNote] {
    let sorted = (old + new).sorted { $0.seconds < $1.seconds }
    return Array(fromEnd ? sorted.suffix(wanted) : sorted.prefix(wanted))
  }
}
