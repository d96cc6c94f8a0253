// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Edits that select events by the tick at which they begin, and treat a note as one event.
///
/// A note that begins in the range and ends after it is selected as a whole. A note that began
/// before the range is not selected and not changed. If an edit throws an error, the track is
/// unchanged. To undo an edit, keep a copy of the old value.
extension MusicTrack {
  /// Removes the events that begin in a range.
  ///
  /// Other events do not move, and the explicit length is kept.
  ///
  /// - Complexity: O(m) in the events of the range, plus O(n / 1024).
  public mutating func clear(_ range: Range<Tick>) {
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    guard !indices.isEmpty else { return }
    setRecords(records.replacing(indices, with: []))
  }

  /// Removes the events that begin in a range and closes the gap.
  ///
  /// Later events move earlier by the length of the range, and so does an explicit end of the
  /// track. If a part of the loop is removed, the loop becomes shorter by that part. Notes keep
  /// their durations. Events that move to the start of the range follow those already there.
  /// Programs, controllers and tempi in the range are also removed; `deleteTime` keeps the last of
  /// them, so that they still apply to later events.
  ///
  /// - Returns: The removed events; `insert(_:at:)` at the start of the range restores them.
  /// - Complexity: O(n).
  @discardableResult
  public mutating func cut(_ range: Range<Tick>) -> TrackExcerpt {
    cut(EditSpan(range, length: length))
  }

  @discardableResult
  mutating func cut(_ span: EditSpan) -> TrackExcerpt {
    let excerpt = excerpt(of: span)
    guard span.length > 0 || excerpt.count > 0 else { return excerpt }
    let old = self
    let indices = records.indices(in: span)
    let later = records.records(in: indices.upperBound..<records.count).map { record in
      var copy = record
      copy.tick -= span.length
      return copy
    }
    setRecords(records.replacing(indices.lowerBound..<records.count, with: later))
    keepLength(of: old) { Self.afterDeletion(of: span, $0) }
    return excerpt
  }

  /// Opens a gap at a tick and inserts an excerpt.
  ///
  /// Events at or after the tick move later by the length of the excerpt, and so does an explicit
  /// end of the track. A loop that contains the gap grows. Notes that sound across the tick are not
  /// split or lengthened. The excerpt's events precede the moved events at the same tick.
  ///
  /// - Throws: `SequenceError.beforeOrigin` if the tick is negative; `SequenceError.outOfRange` if
  ///   a tick, the length or the payloads do not fit. The track is then unchanged.
  /// - Complexity: O(n + m) for m events in the excerpt.
  public mutating func insert(
    _ excerpt: TrackExcerpt, at tick: Tick
  ) throws(SequenceError) {
    let start = try Self.checked(tick)
    guard excerpt.count > 0 || excerpt.length > 0 else { return }
    var copy = self
    let index = records.firstIndex(atOrAfter: start)
    var tail = try copy.adopt(excerpt, at: start)
    for record in records.records(in: index..<records.count) {
      tail.append(try record.moved(by: excerpt.length))
    }
    copy.setRecords(records.replacing(index..<records.count, with: tail))
    copy.keepLength(of: self) { $0 >= start ? $0 + UInt64(excerpt.length) : $0 }
    try copy.checkLength()
    self = copy
  }

  /// Adds the events of an excerpt at a tick.
  ///
  /// Existing events do not move. At the same tick, the excerpt's events follow the existing
  /// events.
  ///
  /// - Throws: `SequenceError.beforeOrigin` if the tick is negative; `SequenceError.outOfRange` if
  ///   a tick or the payloads do not fit. The track is then unchanged.
  /// - Complexity: O(m) in the events of the excerpt and of the range that it covers.
  public mutating func merge(
    _ excerpt: TrackExcerpt, at tick: Tick
  ) throws(SequenceError) {
    let start = try Self.checked(tick)
    guard excerpt.count > 0 else { return }
    var copy = self
    let added = try copy.adopt(excerpt, at: start)
    copy.setRecords(records.merging(added))
    self = copy
  }

  /// Moves the events that begin in a range.
  ///
  /// Other events do not move, and the explicit length is kept. At the same tick, the moved events
  /// follow the existing events.
  ///
  /// - Parameters:
  ///   - range: The ticks, half open.
  ///   - distance: The distance in ticks; negative for earlier.
  /// - Throws: `SequenceError.beforeOrigin` if an event would be before tick 0;
  ///   `SequenceError.outOfRange` if a tick does not fit. The track is then unchanged.
  /// - Complexity: O(m) in the events of the range and of the range that they move to.
  public mutating func move(
    _ range: Range<Tick>, by distance: Int64
  ) throws(SequenceError) {
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    guard !indices.isEmpty, distance != 0 else { return }
    var moved: [EventRecord] = []
    for record in records.records(in: indices) { moved.append(try record.moved(by: distance)) }
    setRecords(records.replacing(indices, with: []).merging(moved))
  }
}

extension MusicTrack {
  /// Replaces all records, and marks the track as edited.
  mutating func setRecords(_ new: RecordList) {
    records = new
    source = nil
  }

  /// The new position of a tick after a range is deleted.
  static func afterDeletion(of span: EditSpan, _ tick: UInt64) -> UInt64 {
    tick < span.start ? tick : tick < span.end ? span.start : tick - span.length
  }

  /// Adjusts the explicit length and the start of the loop with the function that moved the ticks.
  mutating func keepLength(of old: MusicTrack, _ map: (UInt64) -> UInt64) {
    if let length = old.explicitLength {
      explicitLength = Tick(Int64(clamping: map(UInt64(length.value))))
    }
    guard let loop = old.settings.loop else { return }
    let start = UInt64(max(0, old.length.value - loop.length))
    let length = self.length.value - Int64(clamping: map(start))
    settings.loop = length > 0 ? TrackSettings.Loop(length: length, count: loop.count) : nil
  }

  /// Throws an error if the end of the track is after the last possible tick.
  func checkLength() throws(SequenceError) {
    _ = try Self.checked(explicitLength ?? .zero)
  }
}
