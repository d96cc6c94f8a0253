// SPDX-License-Identifier: Apache-2.0

/// A place in one track's records: the first event of the current tick, and the one being read.
struct TrackReading: Sendable {
  private let records: RecordList
  private var chunk: Int
  private var offset: Int
  private var groupChunk: Int
  private var groupOffset: Int

  init(_ records: RecordList, from tick: UInt64) {
    self.records = records
    let index = records.firstIndex(atOrAfter: tick)
    if index == records.count {
      chunk = records.chunks.count
      offset = 0
    } else {
      chunk = records.chunk(holding: index)
      offset = index - records.starts[chunk]
    }
    groupChunk = chunk
    groupOffset = offset
  }

  /// The record at this place, or nil at the end.
  var record: EventRecord? {
    chunk < records.chunks.count ? records.chunks[chunk][offset] : nil
  }

  /// The index of the record at this place.
  var index: Int { records.starts[chunk] + offset }

  mutating func advance() {
    offset += 1
    if offset == records.chunks[chunk].count {
      chunk += 1
      offset = 0
    }
  }

  /// Begins the tick at this place: `rewind` comes back here.
  mutating func beginGroup() {
    groupChunk = chunk
    groupOffset = offset
  }

  mutating func rewind() {
    chunk = groupChunk
    offset = groupOffset
  }
}
