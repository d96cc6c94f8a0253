// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A half-open range of ticks, limited for an edit.
///
/// The part before tick 0 is cut off. The range has two ends. Events are selected up to the given
/// end, so a range up to the last possible tick includes the last event. Lengths and distances are
/// measured only to the end of the track, so that no gap becomes extremely long.
struct EditSpan {
  /// The first tick.
  let start: UInt64
  /// The end of the selected events, exclusive.
  let selectionEnd: UInt64
  /// The end for lengths and distances, exclusive; at least `start`.
  let end: UInt64

  init(_ range: Range<Tick>, length: Tick) {
    let last = Int64(EventRecord.maximumTick)
    start = UInt64(min(max(range.lowerBound.value, 0), last))
    selectionEnd = UInt64(min(max(range.upperBound.value, 0), last + 1))
    let limit = max(start, UInt64(max(length.value, 0)))
    end = max(start, min(selectionEnd, limit))
  }

  /// The number of ticks from `start` to `end`.
  var length: UInt64 { end - start }
}

extension RecordList {
  /// The indices of the records that begin in a range.
  func indices(in span: EditSpan) -> Range<Int> {
    let first = firstIndex(atOrAfter: span.start)
    return first..<Swift.max(first, firstIndex(atOrAfter: span.selectionEnd))
  }
}

extension Range<Tick> {
  /// All ticks from 0 on.
  public static var allTicks: Range<Tick> { Tick.zero..<Tick(.max) }
}

extension EventRecord {
  /// A copy of the record, moved by a number of ticks.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, `SequenceError.outOfRange`.
  func moved(by distance: Int64) throws(SequenceError) -> EventRecord {
    let (tick, overflow) = Int64(self.tick).addingReportingOverflow(distance)
    guard !overflow else { throw .outOfRange("a distance of \(distance) ticks is too long") }
    var copy = self
    copy.tick = try MusicTrack.checked(Tick(tick))
    return copy
  }

  /// A copy of the record from one tick to another.
  ///
  /// A note with a duration stays at least one tick long.
  ///
  /// - Throws: `SequenceError.outOfRange`.
  func placed(from start: UInt64, to end: UInt64) throws(SequenceError) -> EventRecord {
    var copy = self
    copy.tick = try MusicTrack.checked(Tick(Int64(clamping: start)))
    guard isNote else { return copy }
    let duration = max(end > start ? end - start : 0, extent > 0 ? 1 : 0)
    guard duration <= UInt64(Self.maximumDuration) else {
      throw .outOfRange("note at tick \(start): \(duration) ticks is too long (at most 4294967294)")
    }
    copy.extent = UInt32(duration)
    return copy
  }
}
