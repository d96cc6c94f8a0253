// SPDX-License-Identifier: Apache-2.0

/// Memory that the parsing of one track after another reuses: records, and the open notes.
///
/// Every record takes at least two bytes of the file, so half as many records as bytes are
/// always enough, and nothing is checked while they are written. A track's records leave for
/// their chunks while the cache still holds them.
@safe
struct ParserScratch: ~Copyable {
  /// The mark of an open note without successor, and of a key without open notes.
  static let none = UInt32.max
  private static let keys = 16 * 128

  private(set) var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  /// The oldest and the latest open note of each channel and key.
  ///
  /// Open notes are chained through their duration, which nobody needs yet.
  let heads: UnsafeMutablePointer<UInt32>
  let tails: UnsafeMutablePointer<UInt32>

  /// Creates memory that is enough for the longest track of a layout.
  init(for layout: SMFLayout) {
    self.init(bytes: layout.tracks.reduce(0) { max($0, $1.count) })
  }

  init(bytes: Int = 0) {
    capacity = bytes / 2 + 2
    unsafe records = .allocate(capacity: capacity)
    let tables = unsafe Self.makeTables()
    unsafe (heads, tails) = (tables.heads, tables.tails)
  }

  /// Memory for the open notes of a port, none of which is open yet.
  static func makeTables() -> ParserPorts.Tables {
    let tables = unsafe ParserPorts.Tables(
      heads: .allocate(capacity: keys), tails: .allocate(capacity: keys))
    unsafe tables.heads.initialize(repeating: none, count: keys)
    unsafe tables.tails.initialize(repeating: none, count: keys)
    return unsafe tables
  }

  /// Makes room for the records of a track of a number of bytes.
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
