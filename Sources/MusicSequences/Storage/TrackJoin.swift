// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// Puts the events of several tracks into one, in the order in which they are emitted.
///
/// The joined track emits the same list (`TickSplit` explains why), and each note keeps its end; of
/// several ports each is sent the same, but for the order of note-offs between which it is sent nothing
/// else. A moved note-off that ends no earlier note is written directly after the note-on that it was moved
/// before; the cursor moves it there again. Where the port changes from one event to the next, an event
/// that says so is added (`JoinedPorts`).
struct TrackJoin {
  private(set) var joined = MusicTrack()
  private var records: [EventRecord] = []
  /// For each track, where its notes are in the joined one.
  private var places: [[Int32]]
  private var tick: Tick = .zero
  private var rank: UInt64 = 0
  private var named: [[UInt8]: Int32] = [:]
  private let ports: TrackPorts
  private var joinedPorts: JoinedPorts
  /// The messages of the note-offs that came before their note-ons, by track and index.
  private var early: [Source: Message] = [:]
  /// The records of note-offs that were moved, by channel and key.
  private var moved: [UInt32: [EventRecord]] = [:]
  /// The note-offs directly behind a note whose own came before it: that one first.
  private var behind: [(place: Int, message: Message)] = []
  /// Their port, channel and key.
  private var behindKey: UInt32 = 0

  private struct Source: Hashable {
    let track: Int32
    let index: Int32
  }

  /// Joins the events of tracks, without settings and length.
  ///
  /// - Parameters:
  ///   - tracks: the tracks.
  ///   - order: the ports of the sequence that the tracks are part of; nil for those of the tracks alone.
  /// - Returns: the joined track.
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
  static func join(
    _ tracks: [MusicTrack], ports order: PortOrder? = nil
  ) throws(SequenceError) -> MusicTrack {
    var sequence = MusicSequence()
    sequence.tracks = tracks
    for index in tracks.indices { sequence.tracks[index].settings.destination = nil }
    sequence.keptPorts = order
    var join = TrackJoin(sequence)
    var cursor = SequenceCursor(joining: tracks, ports: join.ports)
    while let event = cursor.next(before: Tick(.max)) {
      if event.tick != join.tick {
        join.orderBehind()
        join.tick = event.tick
        join.rank = 0
      }
      let track = tracks[Int(event.track)]
      // What ends in a track that is not joined goes on doing so.
      if track.records[Int(event.index)].isNote, event.release == nil, cursor.hasMissedRelease {
        continue
      }
      try join.take(event, of: track, isMoved: cursor.hasMovedRelease)
    }
    join.orderBehind()
    join.joined.records = RecordList(inOrder: join.records)
    return join.joined
  }

  private init(_ sequence: MusicSequence) {
    places = sequence.tracks.map { [Int32](repeating: -1, count: $0.count) }
    ports = TrackPorts(sequence)
    joinedPorts = JoinedPorts(sequence.tracks, ports)
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
    if record.isPort {
      guard !isRepeated(record, event.track, track) else { return }
      joinedPorts.take(record, track.payloads)
    }
    let key = key(of: record, source)
    if record.status < 0x90, isMoved {
      moved[key, default: []].append(record)
      return
    }
    orderBehind()
    if record.isForDevice { try change(toPort: Int(event.port), at: record.tick) }
    places[Int(event.track)][Int(event.index)] = Int32(truncatingIfNeeded: records.count)
    records.append(try joined.adopt(record, from: track))
    rank += 1
    guard record.isNote else { return }
    if let message = early.removeValue(forKey: source) {
      end(records.count - 1, message)
      behind = [(records.count - 1, message)]
      behindKey = key
    }
    guard !moved.isEmpty, let lone = moved.removeValue(forKey: key) else { return }
    orderBehind()
    records += lone
    rank += UInt64(lone.count)
  }

  /// Adds the event that makes a port the one in force, if another one is.
  private mutating func change(toPort port: Int, at tick: UInt64) throws(SequenceError) {
    guard let change = joinedPorts.change(to: port) else { return }
    records.append(try joined.record(of: change, at: tick))
    rank += 1
  }

  private mutating func release(_ source: Source, _ message: Message) {
    let place = Int(places[Int(source.track)][Int(source.index)])
    guard place >= 0 else {
      early[source] = message
      return
    }
    end(place, message)
    guard !behind.isEmpty, behindKey == key(of: records[place], source) else { return }
    behind.append((place, message))
  }

  private func key(of record: EventRecord, _ source: Source) -> UInt32 {
    let port = ports.group(of: Int(source.track), at: Int(source.index))
    return OpenNotes.key(record.status, record.data1, port: Int32(truncatingIfNeeded: port))
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
    guard let first = named[name] else {
      named[name] = number
      return false
    }
    return first != number
  }
}
