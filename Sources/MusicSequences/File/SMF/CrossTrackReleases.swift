// SPDX-License-Identifier: Apache-2.0

/// Pairs notes without a note-off in their track with note-offs of other tracks.
///
/// A note-off that does not end a note of the same track ends the oldest note of its port, channel
/// and key that began before it and that no other note-off ends. The note ends there, and both are
/// marked with `EventRecord.unreleased`: the cursor then sends one note-off, at the position of the
/// second.
///
/// The notes of a key in a track still end in the order in which they began, as they would in a
/// file of that track alone. A note-off that would break this order does not end a note.
struct CrossTrackReleases {
  private var events: [Event] = []
  /// The last end of the notes that their own track releases, for keys that also have unreleased
  /// notes.
  private var ownEnds: [Slot: UInt64] = [:]

  /// A key of a port and a channel in a track.
  private struct Slot: Hashable {
    let track: Int
    let key: Int
  }

  private struct Event {
    let tick: UInt64
    /// The end of its track, if it is a note: an unreleased note ends there.
    let end: UInt64
    let slot: Slot
    let index: Int
    let isNote: Bool
  }

  /// Pairs notes and note-offs of different tracks.
  ///
  /// - Returns: For each track, the keys and ticks of the notes that were paired.
  /// - Complexity: O(n log n) in the tracks that have such notes or note-offs, otherwise O(t).
  static func pair(
    _ sequence: inout MusicSequence, _ parsed: ArraySlice<ParsedTrack>
  ) -> [Int: Set<NotePlace>] {
    guard parsed.count > 1, parsed.contains(where: { $0.openNotes > 0 }),
      parsed.contains(where: { $0.loneReleases > 0 })
    else { return [:] }
    var pairing = CrossTrackReleases()
    let ports = TrackPorts(sequence)
    for (track, part) in parsed.enumerated() where part.openNotes > 0 || part.loneReleases > 0 {
      pairing.collect(part.records, track: track, ports)
    }
    return pairing.pair(in: &sequence)
  }

  /// The tick and key of a note, which identify it in a repair.
  struct NotePlace: Hashable {
    let tick: UInt64
    let key: UInt8
  }

  private mutating func collect(_ records: RecordList, track: Int, _ ports: TrackPorts) {
    func slot(_ record: EventRecord, at index: Int) -> Slot {
      let port = ports.group(of: track, at: index)
      return Slot(
        track: track, key: port << 11 | Int(record.status & 0x0F) << 7 | Int(record.data1))
    }
    for (index, record) in records.enumerated() {
      let isOpen = record.isNote && record.has(EventRecord.unreleased)
      guard isOpen || record.status & 0xF0 == 0x80 else { continue }
      let slot = slot(record, at: index)
      if isOpen { ownEnds[slot] = 0 }
      events.append(
        Event(tick: record.tick, end: record.endTick, slot: slot, index: index, isNote: isOpen))
    }
    guard !ownEnds.isEmpty else { return }
    for (index, record) in records.enumerated()
    where record.isNote && !record.has(EventRecord.unreleased) {
      let slot = slot(record, at: index)
      if let end = ownEnds[slot] { ownEnds[slot] = max(end, record.endTick) }
    }
  }

  private mutating func pair(in sequence: inout MusicSequence) -> [Int: Set<NotePlace>] {
    // Only a note-off at a later tick can end a note.
    events.sort {
      ($0.tick, $0.isNote ? 1 : 0, $0.slot.track, $0.index)
        < ($1.tick, $1.isNote ? 1 : 0, $1.slot.track, $1.index)
    }
    var open: [Int: ArraySlice<Event>] = [:]
    var pairs: [(note: Event, release: Event)] = []
    for event in events {
      let key = event.slot.key
      if event.isNote {
        open[key, default: []].append(event)
      } else if let index = open[key]?.firstIndex(where: {
        event.tick >= ownEnds[$0.slot] ?? 0
      }), let note = open[key]?.remove(at: index) {
        pairs.append((note, event))
      }
    }
    var latest: [Slot: Int] = [:]
    for note in open.values.joined() { latest[note.slot] = max(latest[note.slot] ?? 0, note.index) }
    var ended: [Int: Set<NotePlace>] = [:]
    for (note, release) in pairs {
      // Otherwise a later note that ends with the track would end before this one.
      if release.tick > note.end, latest[note.slot] ?? -1 > note.index { continue }
      let place = Self.end(note, by: release, in: &sequence)
      ended[note.slot.track, default: []].insert(place)
    }
    return ended
  }

  private static func end(
    _ note: Event, by release: Event, in sequence: inout MusicSequence
  ) -> NotePlace {
    let (track, other) = (note.slot.track, release.slot.track)
    let lone = sequence.tracks[other].records[release.index]
    sequence.tracks[other].records[release.index].mark |= EventRecord.unreleased
    let duration = min(release.tick - note.tick, UInt64(EventRecord.maximumDuration))
    var record = sequence.tracks[track].records[note.index]
    record.extent = UInt32(duration)
    record.releaseVelocity = lone.data2
    record.mark = EventRecord.unreleased | lone.mark & EventRecord.releasedByNoteOn
    sequence.tracks[track].records[note.index] = record
    return NotePlace(tick: note.tick, key: record.data1)
  }
}
