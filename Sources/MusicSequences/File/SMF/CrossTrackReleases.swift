// SPDX-License-Identifier: Apache-2.0

/// Gives notes that their own track never releases the note-off of another track.
///
/// A note-off that ends no note of its own track ends the oldest note of its port, channel and key
/// that began before it and that no other note-off ends. The note ends there, and both are marked
/// with `EventRecord.unreleased`: the cursor then sends one note-off, in the place of the second.
struct CrossTrackReleases {
  private var events: [Event] = []

  private struct Event {
    let tick: UInt64
    let track: Int
    let index: Int
    let slot: Int
    let isNote: Bool
  }

  /// Pairs notes and note-offs of different tracks.
  ///
  /// - Returns: For each track, the keys and the ticks of the notes that got a note-off.
  /// - Complexity: O(n log n) in the tracks that have such notes or note-offs, else O(t).
  static func pair(
    _ sequence: inout MusicSequence, _ parsed: ArraySlice<ParsedTrack>
  ) -> [Int: Set<NotePlace>] {
    guard parsed.count > 1, parsed.contains(where: { $0.openNotes > 0 }),
      parsed.contains(where: { $0.loneReleases > 0 })
    else { return [:] }
    var pairing = CrossTrackReleases()
    let ports = TrackPorts(sequence).ports
    for (track, part) in parsed.enumerated() where part.openNotes > 0 || part.loneReleases > 0 {
      pairing.collect(part.records, track: track, port: ports[track])
    }
    return pairing.pair(in: &sequence)
  }

  /// A note's tick and key, by which a repair names it.
  struct NotePlace: Hashable {
    let tick: UInt64
    let key: UInt8
  }

  private mutating func collect(_ records: RecordList, track: Int, port: Int) {
    for (index, record) in records.enumerated() {
      let isOpen = record.isNote && record.has(EventRecord.unreleased)
      guard isOpen || record.status & 0xF0 == 0x80 else { continue }
      let slot = port << 11 | Int(record.status & 0x0F) << 7 | Int(record.data1)
      events.append(
        Event(tick: record.tick, track: track, index: index, slot: slot, isNote: isOpen))
    }
  }

  private mutating func pair(in sequence: inout MusicSequence) -> [Int: Set<NotePlace>] {
    // A note can only be ended by what comes at a later tick.
    events.sort {
      ($0.tick, $0.isNote ? 1 : 0, $0.track, $0.index)
        < ($1.tick, $1.isNote ? 1 : 0, $1.track, $1.index)
    }
    var open: [Int: ArraySlice<Event>] = [:]
    var ended: [Int: Set<NotePlace>] = [:]
    for event in events {
      if event.isNote {
        open[event.slot, default: []].append(event)
      } else if let note = open[event.slot]?.popFirst() {
        let place = Self.end(note, by: event, in: &sequence)
        ended[note.track, default: []].insert(place)
      }
    }
    return ended
  }

  private static func end(
    _ note: Event, by release: Event, in sequence: inout MusicSequence
  ) -> NotePlace {
    let lone = sequence.tracks[release.track].records[release.index]
    sequence.tracks[release.track].records[release.index].mark |= EventRecord.unreleased
    let duration = min(release.tick - note.tick, UInt64(EventRecord.maximumDuration))
    var record = sequence.tracks[note.track].records[note.index]
    record.extent = UInt32(duration)
    record.releaseVelocity = lone.data2
    record.mark = EventRecord.unreleased | lone.mark & EventRecord.releasedByNoteOn
    sequence.tracks[note.track].records[note.index] = record
    return NotePlace(tick: note.tick, key: record.data1)
  }
}
