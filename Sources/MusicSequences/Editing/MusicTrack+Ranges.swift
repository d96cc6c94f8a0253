// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Edits that select events by the tick at which they begin, and treat a note as one event.
///
/// A note that begins in the range and ends after it is selected whole; one that began before the
/// range and sounds into it is not selected, and is left as it is. Every edit of a track takes
/// place in full or, where it throws, not at all; to undo one, hold the old value.
extension MusicTrack {
  /// Removes the events that begin in a range.
  ///
  /// Nothing else moves, and the explicit length stays.
  ///
  /// - Complexity: O(m) in the events of the range, and O(n / 1024).
  public mutating func clear(_ range: Range<Tick>) {
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    guard !indices.isEmpty else { return }
    setRecords(records.replacing(indices, with: []))
  }

  /// Removes the events that begin in a range and closes the gap.
  ///
  /// Later events move earlier by the length of the range, and so does the end of the track where
  /// it is explicit; the loop shrinks by what it loses. Notes keep their durations. Events that
  /// come to stand at the start of the range follow those that already stood there. Programs,
  /// controllers or tempi in the range are gone with it: `deleteTime` keeps them in force.
  ///
  /// - Returns: What was cut; `insert(_:at:)` at the start of the range puts it back.
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

  /// Opens a gap at a tick and puts an excerpt into it.
  ///
  /// Events at or after the tick move later by the length of the excerpt, and so does the end of
  /// the track where it is explicit; a loop that the gap lies in grows. Notes that sound across
  /// the tick are neither split nor lengthened. At one tick the excerpt's events come before those
  /// that made way for it.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, `SequenceError.outOfRange`.
  /// - Complexity: O(n + m).
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

  /// Adds an excerpt at a tick, among the events that are there.
  ///
  /// Nothing moves. At one tick the excerpt's events come after those that are there.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, `SequenceError.outOfRange`.
  /// - Complexity: O(m) in the events of the excerpt and of its place.
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
  /// The others stay, and so does the explicit length. At one tick the moved events come after
  /// those that are there.
  ///
  /// - Parameters:
  ///   - range: Half open.
  ///   - distance: Ticks, below zero for earlier.
  /// - Throws: `SequenceError.beforeOrigin`, `SequenceError.outOfRange`.
  /// - Complexity: O(m) in the events of the range and of their new place.
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
  /// Puts other records in the place of the track's, which is an edit.
  mutating func setRecords(_ new: RecordList) {
    records = new
    source = nil
  }

  /// Where a tick lies once a range is gone.
  static func afterDeletion(of span: EditSpan, _ tick: UInt64) -> UInt64 {
    tick < span.start ? tick : tick < span.end ? span.start : tick - span.length
  }

  /// Moves the explicit length and the start of the loop as an edit moves ticks.
  mutating func keepLength(of old: MusicTrack, _ map: (UInt64) -> UInt64) {
    if let length = old.explicitLength {
      explicitLength = Tick(Int64(clamping: map(UInt64(length.value))))
    }
    guard let loop = old.settings.loop else { return }
    let start = UInt64(max(0, old.length.value - loop.length))
    let length = self.length.value - Int64(clamping: map(start))
    settings.loop = length > 0 ? TrackSettings.Loop(length: length, count: loop.count) : nil
  }

  /// Throws where the end of the track lies past the last tick.
  func checkLength() throws(SequenceError) {
    _ = try Self.checked(explicitLength ?? .zero)
  }
}
