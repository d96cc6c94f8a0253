// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

extension RecordList {
  /// Some of the list's records, with the ranks of their releases counted among them alone.
  ///
  /// - Parameter indices: The indices of the records, rising.
  /// - Returns: The records.
  /// - Complexity: O(m log m), and O(log n) for each note that is released after other records.
  func selecting(_ indices: [Int]) -> [EventRecord] {
    var selected: [EventRecord] = []
    selected.reserveCapacity(indices.count)
    for index in indices {
      var record = self[index]
      if record.isNote, record.releaseRank > 0, !record.has(EventRecord.unreleased) {
        let first = firstIndex(atOrAfter: record.endTick)
        let last = first + Int(record.releaseRank)
        record.releaseRank = UInt64(indices.place(of: last) - indices.place(of: first))
      }
      selected.append(record)
    }
    return selected
  }
}

extension [Int] {
  /// How many of the rising numbers are below another.
  fileprivate func place(of number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension EventRecord {
  /// The record with its release before all else of its tick: the end was moved by itself.
  var releasedFirst: EventRecord {
    guard isNote else { return self }
    var copy = self
    copy.mark &= Self.releasedByNoteOn
    return copy
  }

  /// The record with the release of another, if it ends at the same tick.
  func releasedLike(_ other: EventRecord) -> EventRecord {
    guard isNote, other.isNote, endTick == other.endTick else { return self }
    var copy = self
    copy.releaseRank = other.releaseRank
    return copy
  }
}

/// Puts the events of several tracks into one, in the order in which they are emitted.
///
/// The joined track then emits the same list: `TickSplit` says why.
struct TrackJoin {
  private(set) var joined = MusicTrack()
  private var records: [EventRecord] = []
  /// For each track, where its notes are in the joined one.
  private var places: [[Int32]]
  private var tick: Tick = .zero
  private var rank: UInt64 = 0
  private var ports: [[UInt8]: Int32] = [:]

  /// Joins the events of tracks, without settings and length.
  static func join(_ tracks: [MusicTrack]) throws(SequenceError) -> MusicTrack {
    var join = TrackJoin(places: tracks.map { [Int32](repeating: -1, count: $0.count) })
    var cursor = SequenceCursor(joining: tracks)
    while let event = cursor.next(before: Tick(.max)) {
      if event.tick != join.tick {
        join.tick = event.tick
        join.rank = 0
      }
      try join.take(event, of: tracks[Int(event.track)])
    }
    join.joined.records = RecordList(inOrder: join.records)
    return join.joined
  }

  private init(places: [[Int32]]) {
    self.places = places
  }

  private mutating func take(
    _ event: CursorEvent, of track: MusicTrack
  ) throws(SequenceError) {
    let record = track.records[Int(event.index)]
    if record.isNote, event.release == nil {
      release(event)
      return
    }
    if record.isPort, isRepeated(record, event.track, track) { return }
    places[Int(event.track)][Int(event.index)] = Int32(truncatingIfNeeded: records.count)
    records.append(try joined.adopt(record, from: track))
    rank += 1
  }

  private mutating func release(_ event: CursorEvent) {
    let place = Int(places[Int(event.track)][Int(event.index)])
    guard place >= 0 else { return }
    records[place].mark &= EventRecord.releasedByNoteOn
    records[place].releaseRank = rank
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
