// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Edits that insert, remove or stretch time. Notes that sound there change their length.
extension MusicTrack {
  /// Inserts time at a tick.
  ///
  /// Events at or after the tick move later, and a note that sounds across the tick becomes longer.
  /// If the tick is 0, setup events at tick 0 (programs, controllers, SysEx, tempo, meter, names)
  /// do not move, so that they also apply to the new time. The explicit length grows, and so does a
  /// loop that contains the tick. `deleteTime` over the new time is the inverse.
  ///
  /// - Parameters:
  ///   - ticks: The length of the new time in ticks, 0 or more.
  ///   - tick: The position.
  /// - Throws: `SequenceError.outOfRange` if `ticks` is negative, or a note or the track would
  ///   become too long; `SequenceError.beforeOrigin`.
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

  /// Moves the setup events of tick 0 back to tick 0 after all events have moved.
  private func bringingBackSetup(_ moved: RecordList, from tick: UInt64) -> RecordList {
    let staying = records.records(in: 0..<records.firstIndex(atOrAfter: 1)).filter(isSetup)
    let range = moved.firstIndex(atOrAfter: tick)..<moved.firstIndex(atOrAfter: tick + 1)
    let going = moved.records(in: range).filter { !isSetup($0) }
    return moved.replacing(range, with: staying + going)
  }

  /// Removes a range of time.
  ///
  /// Later events move earlier by the length of the range. A note that ends in the range now ends
  /// at the start of the range, and a note that sounds through the whole range becomes shorter by
  /// its length. Notes, texts and user events that begin in the range are removed.
  ///
  /// Events that affect later ones are kept, at the start of the range, so that the rest sounds as
  /// before: the last value of every controller, bend and pressure; all programs with their banks,
  /// registered parameters and SysEx; and on the tempo track the last tempo and meter. If the range
  /// begins at tick 0, all setup events of tick 0 are kept too.
  ///
  /// - Parameter range: The ticks, half open; the part after the end of the track is ignored.
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

  /// The events of a removed range that must stay in force, moved to the start of the range.
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
  /// Events in the range keep their relative positions, rounded to the nearest tick. Later events
  /// move by the change in length. Both ends of a note move by this rule, so a note that crosses an
  /// end of the range changes by the part inside. A note with a duration stays at least one tick
  /// long. Events that move to the same tick keep their order. The explicit length and the loop
  /// change with the range. Scaling by 2, and then scaling the resulting range by 1/2, restores the
  /// track.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open; the part after the end of the track is ignored.
  ///   - factor: The new length divided by the old, above 0.
  /// - Throws: `SequenceError.outOfRange` if `factor` is not above 0 or has more than 31 bits, or
  ///   if a note or the track would become too long.
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

  /// Moves both ends of every event, the explicit length and the loop with a non-decreasing
  /// function.
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
