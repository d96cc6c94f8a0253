// SPDX-License-Identifier: Apache-2.0

/// Records in order of tick, in copy-on-write chunks of at most 1,024.
///
/// An edit copies one chunk of 16 KiB and the table of chunks, never the whole list. Older values
/// that are kept for undo share all other chunks. Records of one tick keep the order in which they
/// were added.
struct RecordList: Sendable {
  static let chunkCapacity = 1024

  private(set) var chunks: [[EventRecord]] = []
  /// The index of each chunk's first record.
  private(set) var starts: [Int] = []
  private(set) var count = 0

  init() {}

  /// Creates a list from records that are already in order of tick.
  init(inOrder records: some Collection<EventRecord>) {
    var rest = records[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(Self.chunkCapacity)
      append(chunk: Array(chunk))
      rest = rest.dropFirst(chunk.count)
    }
  }

  /// Creates a list from records in any order.
  ///
  /// Records of one tick keep their order.
  init(sorting records: [EventRecord]) {
    self.init(inOrder: records.sorted { $0.tick < $1.tick })
  }

  /// Appends a chunk.
  ///
  /// Its records must be in order and not before the last record.
  mutating func append(chunk: [EventRecord]) {
    guard !chunk.isEmpty else { return }
    starts.append(count)
    count += chunk.count
    chunks.append(chunk)
  }

  var isEmpty: Bool { count == 0 }
  var first: EventRecord? { chunks.first?.first }
  subscript(index: Int) -> EventRecord {
    get {
      let chunk = chunk(holding: index)
      return chunks[chunk][index - starts[chunk]]
    }
    set {
      let chunk = chunk(holding: index)
      chunks[chunk][index - starts[chunk]] = newValue
    }
  }

  /// The chunk that contains the record at an index, found by binary search.
  func chunk(holding index: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) >> 1
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// The index of the first record at or after a tick, or `count` if all records are earlier.
  func firstIndex(atOrAfter tick: UInt64) -> Int {
    guard let chunk = firstChunk(endingAtOrAfter: tick) else { return count }
    var low = 0
    var high = chunks[chunk].count
    while low < high {
      let middle = (low + high) >> 1
      if chunks[chunk][middle].tick < tick { low = middle + 1 } else { high = middle }
    }
    return starts[chunk] + low
  }

  private func firstChunk(endingAtOrAfter tick: UInt64) -> Int? {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) >> 1
      let last = chunks[middle][chunks[middle].count - 1]
      if last.tick < tick { low = middle + 1 } else { high = middle }
    }
    return low < chunks.count ? low : nil
  }
}

extension RecordList {
  /// Adds a record after the existing records of its tick.
  ///
  /// - Returns: The index of the record.
  @discardableResult
  mutating func insert(_ record: EventRecord) -> Int {
    let index = firstIndex(atOrAfter: record.tick + 1)
    guard !chunks.isEmpty else {
      append(chunk: [record])
      return 0
    }
    var chunk = index == count ? chunks.count - 1 : chunk(holding: index)
    // Between two chunks the record is added to the earlier one, unless it is full.
    if index == starts[chunk], chunk > 0, chunks[chunk - 1].count < Self.chunkCapacity {
      chunk -= 1
    }
    if chunks[chunk].count >= Self.chunkCapacity {
      chunk = split(chunk, for: index)
    }
    chunks[chunk].insert(record, at: index - starts[chunk])
    shiftStarts(after: chunk, by: 1)
    return index
  }

  /// Removes the record at an index.
  @discardableResult
  mutating func remove(at index: Int) -> EventRecord {
    let chunk = chunk(holding: index)
    let record = chunks[chunk].remove(at: index - starts[chunk])
    shiftStarts(after: chunk, by: -1)
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
      starts.remove(at: chunk)
    }
    return record
  }

  private mutating func split(_ chunk: Int, for index: Int) -> Int {
    let half = chunks[chunk].count / 2
    let upper = Array(chunks[chunk][half...])
    chunks[chunk].removeLast(upper.count)
    chunks.insert(upper, at: chunk + 1)
    starts.insert(starts[chunk] + half, at: chunk + 1)
    return index > starts[chunk + 1] ? chunk + 1 : chunk
  }

  private mutating func shiftStarts(after chunk: Int, by distance: Int) {
    count += distance
    for later in starts.indices.dropFirst(chunk + 1) { starts[later] += distance }
  }
}

extension RecordList: Sequence {
  struct Iterator: IteratorProtocol {
    let list: RecordList
    var chunk = 0
    var offset = 0

    mutating func next() -> EventRecord? {
      guard chunk < list.chunks.count else { return nil }
      let record = list.chunks[chunk][offset]
      offset += 1
      if offset == list.chunks[chunk].count {
        chunk += 1
        offset = 0
      }
      return record
    }
  }

  func makeIterator() -> Iterator { Iterator(list: self) }
  var underestimatedCount: Int { count }
}
