// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// Joins the events of several tracks into one, in the order in which they are sent.
///
/// The joined track sends the same events (`TickSplit` explains why), and each note keeps its end.
/// With several ports, each port is sent the same events, except for the order of adjacent
/// note-offs. A moved note-off that does not end an earlier note is written directly after the
/// note-on that it was moved before; the cursor moves it again. If the port changes between two
/// events, an event that selects the port is added (`JoinedPorts`).
struct TrackJoin {
  private(set) var joined = MusicTrack()
  private var records: [EventRecord] = []
  /// For each track, the indices of its events in the joined track.
  private var places: [[Int32]]
  private var tick: Tick = .zero
  private var rank: UInt64 = 0
  private var named: [[UInt8]: Int32] = [:]
  private let ports: TrackPorts
  private var joinedPorts: JoinedPorts
  /// The messages of note-offs that were sent before their note-ons, by track and index.
  private var early: [Source: Message] = [:]
  /// The records of moved note-offs, by port, channel and key.
  private var moved: [UInt32: [EventRecord]] = [:]
  /// The note-offs directly after a note whose own note-off preceded it; that one is first.
  private var behind: [(place: Int, message: Message)] = []
  /// The port, channel and key of the note-offs in `behind`.
  private var behindKey: UInt32 = 0

  private struct Source: Hashable {
    let track: Int32
    let index: Int32
  }

  /// Joins the events of tracks, without settings and length.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - order: The ports of the sequence that contains the tracks; nil for the ports of these
  ///     tracks alone.
  /// - Returns: The joined track.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
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
      // Notes that end with the note-off of a track that is not joined remain unchanged.
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

  /// Adds an event that selects a port, if another port is selected.
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

  /// Stores the release of a note.
  private mutating func end(_ place: Int, _ message: Message) {
    let isNoteOn = message.status & 0xF0 == 0x90
    records[place].releaseVelocity = isNoteOn ? 64 : message.data2
    records[place].mark = isNoteOn ? EventRecord.releasedByNoteOn : 0
    records[place].releaseRank = rank
  }

  /// Sorts note-offs after a note: those of one key and rank are read in the order of their notes,
  /// and the one that the cursor will move must be first.
  private mutating func orderBehind() {
    guard !behind.isEmpty else { return }
    if behind.count > 1 {
      let places = behind.map(\.place).sorted()
      for (place, released) in zip(places, behind) { end(place, released.message) }
    }
    behind = []
  }

  /// True if an earlier track selects the same port or device at the same tick.
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
