// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// Iterates over the events of all tracks in the order in which they are sent.
///
/// At one tick, the events of each track are divided, per channel, at the first note-on of that
/// channel or at a SysEx message after one (`TickSplit`). The parts before the division are sent
/// first, in track order, then all parts after it. Within a track, the events of each channel keep
/// the order of the file, including note-offs, with one exception. If a note from an earlier tick
/// is still sounding on the port, channel and key of a note-on, and its note-off follows at the
/// same tick, this note-off is sent before the note-on. For this rule a note-off ends the oldest
/// note of its port, channel and key in any track, so that a file of one track with the same events
/// gives the same result. Adjacent note-offs are sent in the order of their keys.
///
/// The cursor has a copy of the sequence, so later edits do not affect it. `init(playing:)` applies
/// the offset and loop of each track, leaves out the notes of inaudible tracks, and includes the
/// tempo track's events. A loop of the whole sequence must be applied by the clock.
///
/// - Note: `next` allocates memory only when more notes sound at once than ever before. Use a
///   cursor from one thread at a time.
public struct SequenceCursor: Sendable {
  /// The sequence to which the payload ranges of events refer.
  public let sequence: MusicSequence

  /// True for each track whose notes are returned; empty (the default) for all tracks.
  public var audibleTracks: [Bool] = []

  private var readings: [TrackReading] = []
  /// The next tick of each track with remaining events; ordered by track at one tick.
  private var waiting: Heap<WaitingTrack>
  private var releases = ReleaseQueue()

  // The state of the current tick: its note-offs, its tracks, and the progress in each.
  private var tick: UInt64 = 0
  private var due = TickReleases()
  private var active: [Int32] = []
  private var pass = Pass.done
  private var hasNotes = false
  /// True if a head contains more than note-offs.
  private var hasHeads = false
  private var turn = 0
  private var nextDue = 0
  private var current: Int32 = -1
  private var split = TickSplit()
  /// The number of the current track's records at this tick that have been processed.
  private var place: UInt32 = 0
  /// A number for the current tick; `strikes` has the number of the last note-on of each channel.
  private var tickNumber: UInt32 = 0
  private var strikes: [UInt32] = []

  /// True if the last event is a note-off that was moved before a note-on.
  private(set) var hasMovedRelease = false
  /// True if the last event is a note-off that another track should have sent, but did not.
  private(set) var hasMissedRelease = false

  /// The passes over the tracks of a tick.
  private enum Pass {
    case heads, rests, left, done
  }

  /// Creates a cursor at a tick.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to read.
  ///   - tick: The tick of the first events to return; 0 by default.
  ///   - releasesEarlierNotes: True to return the note-offs of notes that are already sounding at
  ///     the tick; false by default.
  /// - Complexity: O(log n); O(n) with `releasesEarlierNotes`.
  public init(
    _ sequence: MusicSequence, from tick: Tick = .zero, releasesEarlierNotes: Bool = false
  ) {
    let readings = sequence.tracks.map { TrackReading($0.records, from: 0) }
    self.init(sequence, readings, ports: TrackPorts(sequence), from: tick)
    if releasesEarlierNotes { addEarlierNotes(UInt64(max(0, tick.value))) }
  }

  /// Creates a cursor that returns events as a player needs them.
  ///
  /// Offsets and loops of tracks are applied, and notes of inaudible tracks are left out. The tempo
  /// track's events are returned as meta events; their track index is the number of tracks.
  public init(playing sequence: MusicSequence) {
    self.init(playing: sequence, ports: TrackPorts(sequence))
  }

  init(playing sequence: MusicSequence, ports: TrackPorts) {
    var readings = sequence.tracks.map { TrackReading(playing: $0, from: 0) }
    readings.append(TrackReading(sequence.tempoTrack.records, from: 0))
    self.init(sequence, readings, ports: ports, audible: sequence.audibleTracks)
  }

  /// Creates a cursor over stored tracks, with the ports of a sequence of these tracks.
  init(joining tracks: [MusicTrack], ports: TrackPorts) {
    var sequence = MusicSequence()
    sequence.tracks = tracks
    self.init(sequence, tracks.map { TrackReading($0.records, from: 0) }, ports: ports)
  }

  private init(
    _ sequence: MusicSequence, _ readings: [TrackReading], ports: TrackPorts,
    from tick: Tick = .zero, audible: [Bool] = []
  ) {
    self.sequence = sequence
    self.readings = readings
    audibleTracks = audible
    waiting = Heap(capacity: readings.count)
    active.reserveCapacity(readings.count)
    due.ports = ports
    strikes = Array(repeating: 0, count: 16 * ports.groupCount)
    locate(to: tick)
  }

  /// Adds a note that is already sounding, so that its note-off is returned when it is due.
  public mutating func hold(_ note: HeldNote) {
    var release = PendingRelease(
      tick: UInt64(max(0, note.end.value)), track: note.track, index: note.index,
      message: note.release)
    if readings.indices.contains(Int(note.track)),
      let record = readings[Int(note.track)].record(at: Int(note.index)), record.isNote
    {
      release.rank = UInt32(record.releaseRank)
      release.isElsewhere = record.isReleasedElsewhere
    }
    releases.insert(release)
    count(note.release, track: note.track, index: note.index)
  }

  /// Moves to a tick.
  ///
  /// Pending note-offs are discarded.
  ///
  /// - Complexity: O(t log n) for t tracks. Does not allocate memory.
  public mutating func locate(to tick: Tick) {
    let start = UInt64(max(0, tick.value))
    releases.removeAll()
    due.removeAll()
    due.open.removeAll()
    waiting.removeAll()
    pass = .done
    for track in readings.indices {
      readings[track].seek(to: start)
      guard let record = readings[track].record else { continue }
      waiting.insert(WaitingTrack(tick: record.tick, track: Int32(track)))
    }
  }

  /// The tick of the next event, or nil if all events have been returned.
  public var nextTick: Tick? {
    if pass != .done { return Tick(Int64(tick)) }
    return upcoming.map { Tick(Int64($0)) }
  }

  private var upcoming: UInt64? {
    guard releases.count > 0 else { return waiting.first?.tick }
    return min(releases.nextTick, waiting.first?.tick ?? .max)
  }

  /// Returns the next event before a tick, or nil after the last.
  ///
  /// Call it again with a later limit to continue.
  ///
  /// - Complexity: O(log p) for p sounding notes, plus O(log t) for the first event of a tick in t
  ///   tracks.
  public mutating func next(before limit: Tick) -> CursorEvent? {
    let limit = UInt64(max(0, limit.value))
    while true {
      if pass != .done, tick < limit, let event = nextOfTick() { return event }
      guard pass == .done, let upcoming, upcoming < limit else { return nil }
      begin(upcoming)
    }
  }

  /// Collects the tracks and the note-offs of a tick.
  private mutating func begin(_ tick: UInt64) {
    self.tick = tick
    tickNumber &+= 1
    due.removeAll()
    active.removeAll(keepingCapacity: true)
    hasNotes = false
    hasHeads = false
    while let first = waiting.first, first.tick == tick {
      active.append(first.track)
      if let next = survey(Int(first.track)) {
        waiting.replaceFirst(by: WaitingTrack(tick: next, track: first.track))
      } else {
        _ = waiting.removeFirst()
      }
    }
    due.fill(from: &releases, through: tick)
    // The usual case does not need a pass over heads: the tick has note-offs, then notes.
    if !hasHeads, due.comeFirst {
      due.makeAllReady()
      pass = .heads
      endPass()
    } else {
      due.putInOrder()
      begin(.heads)
    }
  }

  private mutating func begin(_ pass: Pass) {
    self.pass = pass
    turn = 0
    nextDue = due.left > 0 ? 0 : due.count
    current = -1
    for track in active { readings[Int(track)].rewind() }
  }

  /// Finds the contents of a track at this tick: notes, notes that end immediately, a head.
  ///
  /// - Returns: The track's next tick, or nil at its end.
  private mutating func survey(_ track: Int) -> UInt64? {
    readings[track].beginGroup()
    var place: UInt32 = 0
    var split = TickSplit()
    while let record = readings[track].record {
      guard record.tick == tick else { return record.tick }
      place &+= 1
      if !split.takesAsRest(record), record.status >= 0x90 { hasHeads = true }
      if record.isNote {
        hasNotes = true
        if record.extent == 0, isAudible(track) {
          let index = Int32(truncatingIfNeeded: readings[track].index)
          hold(record, track: Int32(track), index: index, after: place)
        }
      } else if record.status < 0x90 {
        let index = Int32(truncatingIfNeeded: readings[track].index)
        due.add(record, track: Int32(track), index: index, rank: place - 1)
      }
      readings[track].advance()
    }
    return nil
  }

  /// True if a track's notes are returned.
  ///
  /// The tempo track, after the last, has none.
  private func isAudible(_ track: Int) -> Bool {
    !audibleTracks.indices.contains(track) || audibleTracks[track]
  }

  // The following functions are inlined, because each call would copy the event once more.

  @inline(__always)
  private mutating func nextOfTick() -> CursorEvent? {
    while pass != .left {
      if let event = nextOfPass() { return event }
      endPass()
    }
    if let release = nextRelease() { return release }
    pass = .done
    return nil
  }

  /// The next event of this pass: track by track, with note-offs at their ranks.
  @inline(__always)
  private mutating func nextOfPass() -> CursorEvent? {
    while true {
      let recordTrack = turn < active.count ? active[turn] : .max
      let dueTrack = nextDue < due.count ? due.track(at: nextDue) : .max
      let track = min(recordTrack, dueTrack)
      guard track < .max else { return nil }
      if track != current {
        current = track
        split = TickSplit()
        place = 0
      }
      let record = track == recordTrack ? currentRecord(of: Int(track)) : nil
      if track == dueTrack, record == nil || due.rank(at: nextDue) <= place {
        if due.isDue(at: nextDue, inRest: pass == .rests, split) { due.makeReady(at: nextDue) }
        nextDue += 1
      } else if let record {
        if let event = next(record, of: track) { return event }
      } else {
        turn += 1
      }
    }
  }

  @inline(__always)
  private func currentRecord(of track: Int) -> EventRecord? {
    guard let record = readings[track].record, record.tick == tick else { return nil }
    return record
  }

  /// The event of a record, or a note-off that precedes it; nil if the record is skipped.
  @inline(__always)
  private mutating func next(_ record: EventRecord, of track: Int32) -> CursorEvent? {
    let isOfPass = split.takesAsRest(record) == (pass == .rests)
    // Note-offs are in `due`.
    guard isOfPass, record.status >= 0x90, !record.isNote || isAudible(Int(track)) else {
      skip(track)
      return nil
    }
    let index = Int32(truncatingIfNeeded: readings[Int(track)].index)
    if record.isNote, due.left > 0 {
      due.makeReady(before: record, port: due.port(of: track, index), at: tickNumber)
    }
    if let release = nextRelease() { return release }
    return take(record, of: track, index)
  }

  @inline(__always)
  private mutating func skip(_ track: Int32) {
    readings[Int(track)].advance()
    place &+= 1
  }

  @inline(__always)
  private mutating func take(
    _ record: EventRecord, of track: Int32, _ index: Int32
  ) -> CursorEvent {
    if record.isNote {
      if record.extent > 0 { hold(record, track: track, index: index, after: 0) }
      let port = due.port(of: track, index)
      due.open.add(OpenNotes.key(record.status, record.data1, port: port), at: tickNumber)
    }
    skip(track)
    return CursorEvent(
      tick: Tick(Int64(tick)), track: track, index: index,
      kind: sequence.kind(of: record, Int(track)),
      end: Tick(Int64(record.endTick)), release: record.isNote ? record.releaseMessage : nil,
      port: port(of: track, index))
  }

  @inline(__always)
  private mutating func nextRelease() -> CursorEvent? {
    guard let release = due.removeReady() else { return nil }
    hasMovedRelease = release.isMoved
    hasMissedRelease = release.isElsewhere
    return CursorEvent(
      tick: Tick(Int64(release.tick)), track: release.track, index: release.index,
      kind: .message(release.message), port: port(of: release.track, release.index))
  }

  /// The port of an event, for any destination.
  private func port(of track: Int32, _ index: Int32) -> UInt8 {
    UInt8(clamping: due.ports.port(of: Int(track), at: Int(index)))
  }

  /// Stores the note-off of a note until it is due; `place` records of its tick precede it.
  @inline(__always)
  private mutating func hold(
    _ record: EventRecord, track: Int32, index: Int32, after place: UInt32
  ) {
    var release = PendingRelease(
      tick: record.endTick, track: track, index: index, message: record.releaseMessage)
    release.rank = max(place, readings[Int(track)].releaseRank(of: record))
    release.isElsewhere = record.isReleasedElsewhere
    releases.insert(release)
  }

  /// Continues with the rests, if there are any, and then with the remaining note-offs.
  private mutating func endPass() {
    if pass == .heads, hasNotes {
      if due.left > 0 { releaseBeforeFirstStrikes() }
      return begin(.rests)
    }
    pass = .left
    due.makeRestReady()
  }

  /// Moves note-offs for the first note-ons of channels to the end of the heads.
  ///
  /// They are also read there if the tick is written as one track.
  private mutating func releaseBeforeFirstStrikes() {
    for track in active where isAudible(Int(track)) {
      readings[Int(track)].rewind()
      while let record = currentRecord(of: Int(track)) {
        let index = Int32(truncatingIfNeeded: readings[Int(track)].index)
        let port = due.port(of: track, index)
        let channel = 16 * Int(port) + Int(record.status & 0x0F)
        if record.isNote, strikes[channel] != tickNumber {
          strikes[channel] = tickNumber
          due.makeReady(before: record, port: port, at: tickNumber)
        }
        readings[Int(track)].advance()
      }
    }
  }

  private mutating func addEarlierNotes(_ start: UInt64) {
    for (track, reading) in sequence.tracks.enumerated() {
      for (index, record) in reading.records.enumerated() {
        guard record.tick < start else { break }
        guard record.isNote, record.endTick > start || record.endTick == start && record.extent > 0
        else { continue }
        hold(record, track: Int32(track), index: Int32(truncatingIfNeeded: index), after: 0)
        count(
          record.releaseMessage, track: Int32(track), index: Int32(truncatingIfNeeded: index))
      }
    }
  }

  /// Counts a note that began before this tick.
  private mutating func count(_ release: Message, track: Int32, index: Int32) {
    let key = OpenNotes.key(release.status, release.data1, port: due.port(of: track, index))
    due.open.add(key, at: tickNumber)
  }
}
