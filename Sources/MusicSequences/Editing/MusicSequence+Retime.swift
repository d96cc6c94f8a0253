// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// Changes the tempi, and moves every event so that it keeps its time in seconds.
  ///
  /// Both ends of every note, meters, lengths and loops move to the nearest tick, so no event is
  /// off by more than half a tick of the new tempo. A note with a duration stays at least one tick
  /// long. Events that move to the same tick keep their order.
  ///
  /// - Parameters:
  ///   - changes: The new tempi, at ticks of the new division. Each is stored in whole
  ///     microseconds, and the times are computed from the stored value.
  ///   - division: The new division; nil keeps the current one.
  /// - Throws: `SequenceError.notRepresentable` for a tempo above 16 777 215 µs per quarter note;
  ///   `SequenceError.beforeOrigin` for a change before tick 0; `SequenceError.outOfRange` if ticks
  ///   do not fit.
  /// - Complexity: O(n log c) for c tempo changes.
  public mutating func retime(
    to changes: [TempoChange], division: Division? = nil
  ) throws(SequenceError) {
    let old = try tempoMap
    var copy = self
    copy.division = division ?? self.division
    copy.tempoTrack = MusicTrack()
    for change in changes { try copy.insertTempo(change.tempo, at: change.tick) }
    let new = try copy.tempoMap
    try copy.takeTime(of: self) { tick throws(SequenceError) in
      try Self.tick(at: old.seconds(at: Tick(Int64(tick))), in: new)
    }
    self = copy
  }

  /// Gives a range one tempo, and moves its events so that they keep their times in seconds.
  ///
  /// Later events keep their tempi and move by the change in the range's length. Because their new
  /// ticks are rounded, all later events shift by the same time, at most half a tick of the new
  /// tempo. Tempo changes in the range are removed.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open; the part after the end of the sequence is ignored.
  ///   - tempo: The tempo, stored in whole microseconds.
  /// - Throws: The errors of `retime(to:division:)`.
  /// - Complexity: O(n log c) for c tempo changes.
  public mutating func retime(
    _ range: Range<Tick>, to tempo: Tempo
  ) throws(SequenceError) {
    let span = EditSpan(range, length: length)
    guard span.length > 0 else { return }
    let old = try tempoMap
    var steady = MusicSequence(division: division)
    try steady.insertTempo(tempo, at: .zero)
    let new = try steady.tempoMap
    let origin = old.seconds(at: Tick(Int64(span.start)))
    func place(_ tick: UInt64) throws(SequenceError) -> UInt64 {
      guard tick > span.start else { return tick }
      let inside = min(tick, span.end)
      let time = try difference(old.seconds(at: Tick(Int64(inside))), origin)
      return span.start + (try Self.tick(at: time, in: new)) + (tick - inside)
    }
    var copy = self
    copy.tempoTrack = try tempoTrack(of: old, with: tempo, in: span, endingAt: place(span.end))
    try copy.takeTime(of: self, place)
    self = copy
  }

  /// The tempi of a map, with one tempo in a range and the end of the range moved to another tick.
  private func tempoTrack(
    of old: TempoMap, with tempo: Tempo, in span: EditSpan, endingAt newEnd: UInt64
  ) throws(SequenceError) -> MusicTrack {
    let (start, end) = (Tick(Int64(span.start)), Tick(Int64(span.end)))
    var result = MusicSequence(division: division)
    for change in old.changes where change.tick < start { try result.insertTempo(change) }
    try result.insertTempo(tempo, at: start)
    if end < length || old.changes.contains(where: { $0.tick >= end }) {
      try result.insertTempo(old.tempo(at: end), at: Tick(Int64(newEnd)))
    }
    for change in old.changes where change.tick > end {
      let tick = Tick(Int64(newEnd) + change.tick.value - end.value)
      try result.insertTempo(change.tempo, at: tick)
    }
    return result.tempoTrack
  }

  private mutating func insertTempo(_ change: TempoChange) throws(SequenceError) {
    try insertTempo(change.tempo, at: change.tick)
  }

  /// Moves the tracks with a function of ticks, and keeps the old tempo track's events that are not
  /// tempi.
  private mutating func takeTime(
    of old: MusicSequence, _ map: (UInt64) throws(SequenceError) -> UInt64
  ) throws(SequenceError) {
    for index in tracks.indices { try tracks[index].mapTime(map) }
    var rest = old.tempoTrack
    rest.records = RecordList(inOrder: rest.records.all.filter { !$0.isMeta(0x51) })
    try rest.mapTime(map)
    tempoTrack = try MusicTrack(joining: [tempoTrack, rest])
  }

  private static func tick(
    at seconds: Ratio, in map: TempoMap
  ) throws(SequenceError) -> UInt64 {
    do {
      let tick = try map.tick(atSeconds: seconds, rounding: .nearest).value
      return try MusicTrack.checked(tick)
    } catch let error as SequenceError {
      throw error
    } catch {
      throw .outOfRange("\(error)")
    }
  }

  private func difference(_ later: Ratio, _ earlier: Ratio) throws(SequenceError) -> Ratio {
    do {
      return try later - earlier
    } catch {
      throw .outOfRange("\(error)")
    }
  }
}
