// SPDX-License-Identifier: Apache-2.0

/// Memory that is reused for parsing all tracks: records, and the open notes.
///
/// Every record takes at least two bytes of the file, so half as many records as bytes are always
/// enough, and writing needs no bounds checks. A track's records are copied into chunks while they
/// are still in the cache.
@safe
struct ParserScratch: ~Copyable {
  /// Marks an open note without a successor, and a key without open notes.
  static let none = UInt32.max
  private static let keys = 16 * 128

  private(set) var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  /// The oldest open note of each channel and key; `tails` has the newest.
  ///
  /// Open notes are linked through their durations, which are not known yet.
  let heads: UnsafeMutablePointer<UInt32>
  let tails: UnsafeMutablePointer<UInt32>

  /// Allocates enough memory for the longest track of a layout.
  init(for layout: SMFLayout) {
    self.init(bytes: layout.tracks.reduce(0) { max($0, $1.count) })
  }

  init(bytes: Int = 0) {
    capacity = bytes / 2 + 2
    unsafe records = .allocate(capacity: capacity)
    let tables = unsafe Self.makeTables()
    unsafe (heads, tails) = (tables.heads, tables.tails)
  }

  /// Allocates tables for the open notes of a port, all empty.
  static func makeTables() -> ParserPorts.Tables {
    let tables = unsafe ParserPorts.Tables(
      heads: .allocate(capacity: keys), tails: .allocate(capacity: keys))
    unsafe tables.heads.initialize(repeating: none, count: keys)
    unsafe tables.tails.initialize(repeating: none, count: keys)
    return unsafe tables
  }

  /// Makes room for the records of a track with a number of bytes.
  mutating func reserve(bytes: Int) {
    let needed = bytes / 2 + 2
    guard needed > capacity else { return }
    unsafe records.deallocate()
    capacity = needed
    unsafe records = .allocate(capacity: needed)
  }

  deinit {
    unsafe records.deallocate()
    unsafe heads.deallocate()
    unsafe tails.deallocate()
  }
}
