// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

extension RecordList {
  /// Some of the list's records, with the ranks of note-offs counted among these records only.
  ///
  /// - Parameter indices: The indices of the records, in ascending order.
  /// - Returns: The records.
  /// - Complexity: O(m log m), plus O(log n) for each note that is released after other records.
  func selecting(_ indices: [Int]) -> [EventRecord] {
    var selected: [EventRecord] = []
    selected.reserveCapacity(indices.count)
    for index in indices {
      var record = self[index]
      if record.isNote, record.releaseRank > 0, !record.has(EventRecord.unreleased) {
        let first = firstIndex(atOrAfter: record.endTick)
        let last = first + Int(record.releaseRank)
        record.releaseRank = UInt64(indices.place(of: last) - indices.place(of: first))
      }
      selected.append(record)
    }
    return selected
  }
}

extension [Int] {
  /// The number of elements below a number; the elements are in ascending order.
  fileprivate func place(of number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension EventRecord {
  /// The record with its note-off before all other events of its tick, for an end that was moved.
  var releasedFirst: EventRecord {
    guard isNote else { return self }
    var copy = self
    copy.mark &= Self.releasedByNoteOn
    return copy
  }

  /// The record with the release rank of another, if both end at the same tick.
  func releasedLike(_ other: EventRecord) -> EventRecord {
    guard isNote, other.isNote, endTick == other.endTick else { return self }
    var copy = self
    copy.releaseRank = other.releaseRank
    return copy
  }
}
