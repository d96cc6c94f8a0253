// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// Puts the events of several tracks into one, in the order in which they are emitted.
///
/// The joined track emits the same list (`TickSplit` explains why), and each note keeps its end. A
/// moved note-off that ends no earlier note is written directly after the note-on that it was moved
/// before; the cursor moves it there again.
struct TrackJoin {
  private(set) var joined = MusicTrack()
  private var records: [EventRecord] = []
  /// For each track, where its notes are in the joined one.
  private var places: [[Int32]]
  private var tick: Tick = .zero
  private var rank: UInt64 = 0
  private var ports: [[UInt8]: Int32] = [:]
  /// The messages of the note-offs that came before their note-ons, by track and index.
  private var early: [Source: Message] = [:]
  /// The records of note-offs that were moved, by channel and key.
  private var moved: [UInt32: [EventRecord]] = [:]
  /// The note-offs directly behind a note whose own came before it: that one first.
  private var behind: [(place: Int, message: Message)] = []

  private struct Source: Hashable {
    let track: Int32
    let index: Int32
  }

  /// Joins the events of tracks, without settings and length.
  static func join(_ tracks: [MusicTrack]) throws(SequenceError) -> MusicTrack {
    var join = TrackJoin(places: tracks.map { [Int32](repeating: -1, count: $0.count) })
    var cursor = SequenceCursor(joining: tracks)
    while let event = cursor.next(before: Tick(.max)) {
      if event.tick != join.tick {
        join.orderBehind()
        join.tick = event.tick
        join.rank = 0
      }
      try join.take(event, of: tracks[Int(event.track)], isMoved: cursor.hasMovedRelease)
    }
    join.orderBehind()
    join.joined.records = RecordList(inOrder: join.records)
    return join.joined
  }

  private init(places: [[Int32]]) {
    self.places = places
  }

  private mutating func take(
    _ event: CursorEvent, of track: MusicTrack, isMoved: Bool
  ) throws(SequenceError) {
    let record = track.records[Int(event.index)]
    let source = Source(track: event.track, index: event.index)
    if record.isNote, event.release == nil, case .message(let message) = event.kind {
      release(source, message)
      return
    }
    if record.isPort, isRepeated(record, event.track, track) { return }
    let key = OpenNotes.key(record.status, record.data1, port: 0)
    if record.status < 0x90, isMoved {
      moved[key, default: []].append(record)
      return
    }
    orderBehind()
    places[Int(event.track)][Int(event.index)] = Int32(truncatingIfNeeded: records.count)
    records.append(try joined.adopt(record, from: track))
    rank += 1
    guard record.isNote else { return }
    if let message = early.removeValue(forKey: source) {
      end(records.count - 1, message)
      behind = [(records.count - 1, message)]
    }
    guard !moved.isEmpty, let lone = moved.removeValue(forKey: key) else { return }
    orderBehind()
    records += lone
    rank += UInt64(lone.count)
  }

  private mutating func release(_ source: Source, _ message: Message) {
    let place = Int(places[Int(source.track)][Int(source.index)])
    guard place >= 0 else {
      early[source] = message
      return
    }
    end(place, message)
    guard let first = behind.first?.message else { return }
    if (first.status ^ message.status) & 0x0F == 0, first.data1 == message.data1 {
      behind.append((place, message))
    }
  }

  /// Writes how a note is released.
  private mutating func end(_ place: Int, _ message: Message) {
    let isNoteOn = message.status & 0xF0 == 0x90
    records[place].releaseVelocity = isNoteOn ? 64 : message.data2
    records[place].mark = isNoteOn ? EventRecord.releasedByNoteOn : 0
    records[place].releaseRank = rank
  }

  /// Note-offs of one key and one place are read in the order of their notes: the one that the cursor
  /// is to move must come first.
  private mutating func orderBehind() {
    guard !behind.isEmpty else { return }
    if behind.count > 1 {
      let places = behind.map(\.place).sorted()
      for (place, released) in zip(places, behind) { end(place, released.message) }
    }
    behind = []
  }

  /// Whether an earlier track names the same port or device at the same tick.
  private mutating func isRepeated(
    _ record: EventRecord, _ number: Int32, _ track: MusicTrack
  ) -> Bool {
    let name = track.portKey(record)
    guard let first = ports[name] else {
      ports[name] = number
      return false
    }
    return first != number
  }
}
