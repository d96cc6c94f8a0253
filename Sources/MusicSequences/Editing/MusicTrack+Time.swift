// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Edits that add, take away or stretch time itself: notes that sound there change with it.
extension MusicTrack {
  /// Adds time at a tick.
  ///
  /// Events at or after the tick move later; a note that sounds across it becomes longer. At
  /// tick 0 what sets the track up (programs, controllers, SysEx, tempo, meter, names) stays, so
  /// that the new time is set up as well. The explicit length grows, and so does a loop that the
  /// tick lies in. `deleteTime` over the new time is the inverse.
  ///
  /// - Parameters:
  ///   - ticks: The length of the new time, 0 or more.
  ///   - tick: Where it begins.
  /// - Throws: `SequenceError.outOfRange` for a length below zero, and where a note or the track
  ///   would become too long; `SequenceError.beforeOrigin`.
  /// - Complexity: O(n).
  public mutating func insertTime(
    _ ticks: Int64, at tick: Tick
  ) throws(SequenceError) {
    let start = try Self.checked(tick)
    guard ticks >= 0 else {
      throw .outOfRange("inserted time \(ticks) ticks is out of range (allowed: 0 or more)")
    }
    guard ticks > 0 else { return }
    let added = UInt64(ticks)
    var changed = try records.mapped { record throws(SequenceError) in
      if record.tick >= start { return try record.moved(by: ticks) }
      guard record.endTick > start else { return record }
      return try record.placed(from: record.tick, to: record.endTick + added)
    }
    if start == 0 { changed = bringingBackSetup(changed, from: added) }
    var copy = self
    copy.setRecords(changed)
    copy.keepLength(of: self) { $0 >= start ? $0 + added : $0 }
    try copy.checkLength()
    self = copy
  }

  /// Puts what sets the track up at the origin back there, once everything has moved.
  private func bringingBackSetup(_ moved: RecordList, from tick: UInt64) -> RecordList {
    let staying = records.records(in: 0..<records.firstIndex(atOrAfter: 1)).filter(isSetup)
    let range = moved.firstIndex(atOrAfter: tick)..<moved.firstIndex(atOrAfter: tick + 1)
    let going = moved.records(in: range).filter { !isSetup($0) }
    return moved.replacing(range, with: staying + going)
  }

  /// Takes a range of time away.
  ///
  /// Later events move earlier by the length of the range; a note that sounds into the range is
  /// cut off where it begins, and one that sounds through it becomes shorter. Notes, texts and
  /// user events that begin in the range are gone. What sets the rest up is kept, at the start of
  /// the range: the last value of every controller, bend and pressure, all programs with their
  /// banks, registered parameters and SysEx, and of the tempo track the last tempo and meter; so
  /// what follows sounds as before. From tick 0 everything that sets up at tick 0 stays as well.
  ///
  /// - Parameter range: Half open; the part past the end of the track does not count.
  /// - Complexity: O(n).
  public mutating func deleteTime(_ range: Range<Tick>) {
    deleteTime(EditSpan(range, length: length))
  }

  mutating func deleteTime(_ span: EditSpan) {
    let indices = records.indices(in: span)
    guard span.length > 0 || !indices.isEmpty else { return }
    let old = self
    let kept = setup(of: records.records(in: indices), in: span)
    var changed: [EventRecord] = []
    changed.reserveCapacity(records.count)
    for record in records.records(in: 0..<indices.lowerBound) {
      var copy = record
      if record.endTick > span.start {
        copy.extent = UInt32(Self.afterDeletion(of: span, record.endTick) - record.tick)
        if record.endTick < span.end { copy = copy.releasedFirst }
      }
      changed.append(copy)
    }
    changed += kept
    for record in records.records(in: indices.upperBound..<records.count) {
      var copy = record
      copy.tick -= span.length
      changed.append(copy)
    }
    setRecords(RecordList(inOrder: changed))
    keepLength(of: old) { Self.afterDeletion(of: span, $0) }
  }

  /// What of a range that goes is to stay in force, at the start of the range.
  private func setup(of removed: [EventRecord], in span: EditSpan) -> [EventRecord] {
    var last: [EventRole: Int] = [:]
    for (index, record) in removed.enumerated() {
      if let role = role(of: record) { last[role] = index }
    }
    return removed.enumerated().filter { index, record in
      guard isSetup(record) else { return false }
      if record.tick == 0 || record.belongsToSuite { return true }
      return role(of: record).map { last[$0] == index } ?? false
    }.map { _, record in
      var copy = record
      copy.tick = span.start
      return copy
    }
  }

  /// Stretches or compresses a range of time.
  ///
  /// Events of the range keep their place in proportion, rounded to the nearest tick; later events
  /// move by what the range gains or loses. Both ends of a note are moved so, wherever they lie:
  /// one that sounds into the range or out of it changes with the part that is inside. A note
  /// that has a length keeps one of a tick at least. Events that come to one tick keep their order.
  /// The explicit length and the loop change with the range. Scaling by 2, and then the resulting
  /// range by 1/2, gives back the track.
  ///
  /// - Parameters:
  ///   - range: Half open; the part past the end of the track does not count.
  ///   - factor: New length over old, above zero.
  /// - Throws: `SequenceError.outOfRange` for a factor at or below zero or of more than 31 bits,
  ///   and where a note or the track would become too long.
  /// - Complexity: O(n).
  public mutating func scaleTime(
    _ range: Range<Tick>, by factor: Ratio
  ) throws(SequenceError) {
    try scaleTime(EditSpan(range, length: length), by: factor)
  }

  mutating func scaleTime(_ span: EditSpan, by factor: Ratio) throws(SequenceError) {
    let limit = Int128(Int32.max)
    guard factor > 0, factor.numerator <= limit, factor.denominator <= limit else {
      throw .outOfRange("factor \(factor) is out of range (allowed: 1/2147483647…2147483647)")
    }
    guard factor != 1, span.length > 0 else { return }
    try mapTime { tick in
      guard tick > span.start else { return tick }
      let inside = Int128(min(tick, span.end) - span.start) * factor.numerator
      let scaled = (2 * inside + factor.denominator) / (2 * factor.denominator)
      return UInt64(clamping: Int128(span.start) + scaled + Int128(tick - min(tick, span.end)))
    }
  }

  /// Moves both ends of every event, the explicit length and the loop along a map that never goes
  /// back.
  mutating func mapTime(
    _ map: (UInt64) throws(SequenceError) -> UInt64
  ) throws(SequenceError) {
    var copy = self
    copy.setRecords(
      try records.mapped { record throws(SequenceError) in
        let start = try map(record.tick)
        return try record.placed(from: start, to: record.isNote ? map(record.endTick) : start)
      })
    if let length = explicitLength {
      let end = try Self.checked(Tick(Int64(clamping: map(UInt64(length.value)))))
      copy.explicitLength = Tick(Int64(end))
    }
    if let loop = settings.loop {
      let start = try map(UInt64(max(0, length.value - loop.length)))
      let ticks = copy.length.value - Int64(clamping: start)
      copy.settings.loop = ticks > 0 ? TrackSettings.Loop(length: ticks, count: loop.count) : nil
    }
    self = copy
  }
}
