// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// The events of all tracks merged, in the order in which they are to be sent.
///
/// At one tick come note-offs, SysEx, controllers and programs as the file has them, notes, and
/// user events last; within each, tracks in order and events as stored. A note without length
/// ends right after the notes of its tick. The tempo track is not among the events: it is what
/// the clock plays.
///
/// The cursor holds the sequence it was made of; edits of the original do not reach it. A cursor of
/// `init(playing:)` gives what a player needs: each track with its offset and its loop, no notes of
/// inaudible tracks, and the tempo track's events as facts. Only the loop of the whole is left to
/// the clock.
///
/// - Note: `next` allocates only when more notes sound at once than ever before. One thread at a
///   time.
public struct SequenceCursor: Sendable {
  /// The sequence that is read: payloads are found in its tracks.
  public let sequence: MusicSequence

  /// For each track, whether its notes are given; empty, the default, for all.
  public var audibleTracks: [Bool] = []

  private var readings: [TrackReading] = []
  /// The next tick of each track that has events left; ties by track.
  private var waiting: Heap<Waiting>
  private var releases = ReleaseQueue()

  // The tick being emitted: the tracks that take part, the phase, and the track being read.
  private var tick: UInt64 = 0
  private var active: [Int32] = []
  private var phases: UInt8 = 0
  private var phase = EmissionPhase.done
  private var turn = 0

  private struct Waiting: BitwiseCopyable, Sendable {
    var tick: UInt64
    var track: Int32
  }

  /// Creates a cursor at a tick.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to read.
  ///   - tick: The first tick whose events are given.
  ///   - releasesEarlierNotes: Whether notes that began before the tick and still sound give
  ///     their note-off.
  /// - Complexity: O(log n); O(n) with `releasesEarlierNotes`.
  public init(
    _ sequence: MusicSequence, from tick: Tick = .zero, releasesEarlierNotes: Bool = false
  ) {
    self.sequence = sequence
    waiting = Heap(capacity: sequence.tracks.count) {
      $0.tick != $1.tick ? $0.tick < $1.tick : $0.track < $1.track
    }
    active.reserveCapacity(sequence.tracks.count)
    readings = sequence.tracks.map { TrackReading($0.records, from: 0) }
    locate(to: tick)
    if releasesEarlierNotes { addEarlierNotes(UInt64(max(0, tick.value))) }
  }

  /// Creates a cursor that reads as a player does: offsets, loops and inaudible tracks count, and
  /// the tempo track's events come as metas of the track after the last.
  public init(playing sequence: MusicSequence) {
    self.sequence = sequence
    waiting = Heap(capacity: sequence.tracks.count + 1) {
      $0.tick != $1.tick ? $0.tick < $1.tick : $0.track < $1.track
    }
    active.reserveCapacity(sequence.tracks.count + 1)
    readings = sequence.tracks.map { TrackReading(playing: $0, from: 0) }
    readings.append(TrackReading(sequence.tempoTrack.records, from: 0))
    audibleTracks = sequence.audibleTracks
    locate(to: .zero)
  }

  /// Makes the cursor give the release of a note that already sounds, when it is due.
  public mutating func hold(_ note: HeldNote) {
    releases.insert(
      PendingRelease(
        tick: UInt64(max(0, note.end.value)), track: note.track, index: note.index,
        message: note.release))
  }

  /// Moves to a tick; note-offs that were still due are forgotten.
  ///
  /// - Complexity: O(t log n) for t tracks. Does not allocate.
  public mutating func locate(to tick: Tick) {
    let start = UInt64(max(0, tick.value))
    releases.removeAll()
    waiting.removeAll()
    phase = .done
    for track in readings.indices {
      readings[track].seek(to: start)
      guard let record = readings[track].record else { continue }
      waiting.insert(Waiting(tick: record.tick, track: Int32(track)))
    }
  }

  /// The tick of the next event, or nil at the end.
  public var nextTick: Tick? {
    if phase != .done { return Tick(Int64(tick)) }
    return upcoming.map { Tick(Int64($0)) }
  }

  private var upcoming: UInt64? {
    guard releases.count > 0 else { return waiting.first?.tick }
    return min(releases.nextTick, waiting.first?.tick ?? .max)
  }

  /// The next event before a tick, or nil where there is none; a later limit goes on from there.
  ///
  /// - Complexity: O(log p) for p notes that sound at once; O(log t) more for the first event of
  ///   a tick in t tracks.
  public mutating func next(before limit: Tick) -> CursorEvent? {
    let limit = UInt64(max(0, limit.value))
    while true {
      if phase != .done, tick < limit, let event = nextOfTick() { return event }
      guard phase == .done, let upcoming, upcoming < limit else { return nil }
      begin(upcoming)
    }
  }

  /// Collects the tracks that have events at a tick.
  private mutating func begin(_ tick: UInt64) {
    self.tick = tick
    active.removeAll(keepingCapacity: true)
    phases = EmissionPhase.releases.bit
    phase = .releases
    turn = 0
    while let first = waiting.first, first.tick == tick {
      _ = waiting.removeFirst()
      active.append(first.track)
      survey(Int(first.track))
    }
  }

  /// Notes which phases a track's events need, and when its next tick is.
  private mutating func survey(_ track: Int) {
    readings[track].beginGroup()
    while let record = readings[track].record {
      guard record.tick == tick else {
        waiting.insert(Waiting(tick: record.tick, track: Int32(track)))
        break
      }
      phases |= EmissionPhase(of: record).bit
      readings[track].advance()
    }
    readings[track].rewind()
  }

  private mutating func nextOfTick() -> CursorEvent? {
    while phase != .done {
      if let event = nextOfPhase() { return event }
      endPhase()
    }
    return nil
  }

  private mutating func nextOfPhase() -> CursorEvent? {
    if phase == .releases || phase == .lateReleases { return nextRelease() }
    while turn < active.count {
      let track = Int(active[turn])
      if let event = nextRecord(of: track) { return event }
      turn += 1
    }
    return nil
  }

  private mutating func nextRelease() -> CursorEvent? {
    guard releases.nextTick <= tick, let release = releases.removeFirst() else { return nil }
    return CursorEvent(
      tick: Tick(Int64(release.tick)), track: release.track, index: release.index,
      kind: .message(release.message))
  }

  /// The next event of a track at this tick that belongs to this phase.
  private mutating func nextRecord(of track: Int) -> CursorEvent? {
    while let record = readings[track].record, record.tick == tick {
      let index = Int32(truncatingIfNeeded: readings[track].index)
      readings[track].advance()
      guard EmissionPhase(of: record) == phase else { continue }
      if record.isNote {
        guard audibleTracks.isEmpty || audibleTracks[track] else { continue }
        hold(record, track: Int32(track), index: index)
      }
      let source = track < sequence.tracks.count ? sequence.tracks[track] : sequence.tempoTrack
      return CursorEvent(
        tick: Tick(Int64(tick)), track: Int32(track), index: index,
        kind: source.kind(of: record), end: Tick(Int64(record.endTick)),
        release: record.isNote ? record.releaseMessage : nil)
    }
    return nil
  }

  private mutating func hold(_ record: EventRecord, track: Int32, index: Int32) {
    if record.extent == 0 { phases |= EmissionPhase.lateReleases.bit }
    releases.insert(
      PendingRelease(
        tick: record.endTick, track: track, index: index, message: record.releaseMessage))
  }

  /// Goes to the next phase that has anything to give; after the last the tracks stand behind it.
  private mutating func endPhase() {
    repeat {
      phase = EmissionPhase(rawValue: phase.rawValue + 1) ?? .done
    } while phase != .done && phases & phase.bit == 0
    turn = 0
    guard phase != .done else { return skipTick() }
    for track in active { readings[Int(track)].rewind() }
  }

  private mutating func skipTick() {
    for track in active {
      while let record = readings[Int(track)].record, record.tick == tick {
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
        hold(record, track: Int32(track), index: Int32(truncatingIfNeeded: index))
      }
    }
  }
}

extension MusicSequence {
  /// For each track, whether it sounds: it is not muted, and soloed where any unmuted track is.
  public var audibleTracks: [Bool] {
    let settings = tracks.map(\.settings)
    let hasSolo = settings.contains { $0.isSoloed && !$0.isMuted }
    return settings.map { !$0.isMuted && (!hasSolo || $0.isSoloed) }
  }
}

extension MusicSequence {
  /// The note that begins at the tick of another, on its track, channel and key; nil where none
  /// does.
  ///
  /// - Complexity: O(log n), and the events of the tick.
  public func note(like held: HeldNote) -> HeldNote? {
    guard tracks.indices.contains(Int(held.track)) else { return nil }
    let start = UInt64(max(0, held.start.value))
    var reading = TrackReading(playing: tracks[Int(held.track)], from: start)
    while let record = reading.record, record.tick == start {
      if record.isNote, record.status == held.strike.status, record.data1 == held.strike.data1 {
        return HeldNote(
          track: held.track, index: Int32(truncatingIfNeeded: reading.index), start: held.start,
          end: Tick(Int64(record.endTick)), strike: held.strike,
          release: record.releaseMessage)
      }
      reading.advance()
    }
    return nil
  }
}

extension EventRecord {
  /// The message that ends a note, as its file had it.
  var releaseMessage: Message {
    has(Self.releasedByNoteOn)
      ? Message(status: status, data1: data1, data2: 0)
      : Message(status: status & 0x8F, data1: data1, data2: releaseVelocity)
  }
}

extension MusicTrack {
  /// What a stored event is to a player.
  func kind(of record: EventRecord) -> CursorEvent.Kind {
    guard record.hasPayload else { return .message(Message(loneRelease: record)) }
    let range = payloads.range(at: record.extent)
    switch record.status {
    case EventRecord.sysEx: return sysExKind(range)
    case EventRecord.packet: return .packet(range)
    case EventRecord.parameter: return .parameter(range)
    case EventRecord.user: return .user(range)
    default: return .meta(type: record.data1, range)
    }
  }

  /// A SysEx message whose F7 is missing is only the first packet of one.
  private func sysExKind(_ range: PayloadRange) -> CursorEvent.Kind {
    guard range.count >= 2, payloads[range].last == 0xF7 else { return .packet(range) }
    return .sysEx(PayloadRange(offset: range.offset + 1, count: range.count - 2))
  }

  /// The parameter event at a place that a cursor gave.
  public func parameter(at range: PayloadRange) -> ParameterEvent? {
    ParameterEvent(bytes: payloads[range])
  }
}

extension Message {
  /// The message of a record; a note-off that no note waited for keeps the form it had.
  init(loneRelease record: EventRecord) {
    let isNoteOn = record.status & 0xF0 == 0x80 && record.has(EventRecord.releasedByNoteOn)
    self.init(
      status: isNoteOn ? record.status | 0x10 : record.status, data1: record.data1,
      data2: record.data2)
  }
}
