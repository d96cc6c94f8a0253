// SPDX-License-Identifier: Apache-2.0

extension RecordList {
  /// All records in one array.
  var all: [EventRecord] { records(in: 0..<count) }

  /// The records of a range of indices.
  func records(in range: Range<Int>) -> [EventRecord] {
    var result: [EventRecord] = []
    result.reserveCapacity(range.count)
    guard !range.isEmpty else { return result }
    for index in chunk(holding: range.lowerBound)...chunk(holding: range.upperBound - 1) {
      let chunk = chunks[index]
      let first = Swift.max(range.lowerBound - starts[index], 0)
      let end = Swift.min(range.upperBound - starts[index], chunk.count)
      result.append(contentsOf: chunk[first..<end])
    }
    return result
  }

  /// The list with a range of indices replaced by other records, which are in order.
  ///
  /// Chunks outside the range are shared with this list.
  func replacing(_ range: Range<Int>, with records: [EventRecord]) -> RecordList {
    guard !chunks.isEmpty else { return RecordList(inOrder: records) }
    let first = chunk(holding: range.lowerBound)
    let last = chunk(holding: range.upperBound)
    var result = RecordList()
    for index in 0..<first { result.append(chunk: chunks[index]) }
    var middle = Array(chunks[first][..<(range.lowerBound - starts[first])])
    middle.append(contentsOf: records)
    middle.append(contentsOf: chunks[last][(range.upperBound - starts[last])...])
    result.appendEvenly(middle)
    for index in chunks.indices.dropFirst(last + 1) { result.append(chunk: chunks[index]) }
    return result
  }

  /// Adds records in chunks of about equal size, so that repeated edits do not leave tiny chunks.
  private mutating func appendEvenly(_ records: [EventRecord]) {
    guard records.count > Self.chunkCapacity else { return append(chunk: records) }
    let pieces = (records.count + Self.chunkCapacity - 1) / Self.chunkCapacity
    for piece in 0..<pieces {
      let start = records.count * piece / pieces
      append(chunk: Array(records[start..<records.count * (piece + 1) / pieces]))
    }
  }

  /// The list with every record changed by a function that keeps their order.
  ///
  /// Chunks without changes are shared with this list.
  func mapped(
    _ change: (EventRecord) throws(SequenceError) -> EventRecord
  ) throws(SequenceError) -> RecordList {
    var result = RecordList()
    for chunk in chunks {
      var copy = chunk
      for index in chunk.indices {
        let record = try change(chunk[index])
        if record != chunk[index] { copy[index] = record }
      }
      result.append(chunk: copy)
    }
    return result
  }

  /// The list with more records, in order of tick, each after the existing records of its tick.
  func merging(_ records: [EventRecord]) -> RecordList {
    guard let first = records.first, let last = records.last else { return self }
    let range = firstIndex(atOrAfter: first.tick)..<firstIndex(atOrAfter: last.tick + 1)
    return replacing(range, with: merged(self.records(in: range), records))
  }

  /// The list with a range of records changed.
  ///
  /// Records that move to the same tick keep their order.
  func rewriting(
    _ range: Range<Int>, _ change: (EventRecord) throws(SequenceError) -> EventRecord
  ) throws(SequenceError) -> RecordList {
    var changed: [EventRecord] = []
    changed.reserveCapacity(range.count)
    var (lowest, highest): (UInt64, UInt64) = (.max, 0)
    for record in records(in: range) {
      let new = try change(record)
      lowest = Swift.min(lowest, new.tick)
      highest = Swift.max(highest, new.tick)
      changed.append(new)
    }
    guard !changed.isEmpty else { return self }
    // Records between the old and the new ticks take part in the sorting.
    let start = Swift.min(range.lowerBound, firstIndex(atOrAfter: lowest))
    let end = Swift.max(range.upperBound, firstIndex(atOrAfter: highest + 1))
    let all =
      records(in: start..<range.lowerBound) + changed + records(in: range.upperBound..<end)
    return replacing(start..<end, with: sortedByTick(all))
  }
}

/// Two lists in order of tick, merged.
///
/// At one tick the records of the first list precede the others.
func merged(_ first: [EventRecord], _ second: [EventRecord]) -> [EventRecord] {
  var result: [EventRecord] = []
  result.reserveCapacity(first.count + second.count)
  var (left, right) = (0, 0)
  while left < first.count, right < second.count {
    if second[right].tick < first[left].tick {
      result.append(second[right])
      right += 1
    } else {
      result.append(first[left])
      left += 1
    }
  }
  result.append(contentsOf: first[left...])
  result.append(contentsOf: second[right...])
  return result
}

/// The records in order of tick.
///
/// Records of one tick keep their order.
func sortedByTick(_ records: [EventRecord]) -> [EventRecord] {
  records.sorted { $0.tick < $1.tick }
}
