// SPDX-License-Identifier: Apache-2.0

/// Reads the texts of an ID3v2 tag as its bytes arrive; pictures and other frames are skipped.
///
/// Sources: ID3 2.2.0, 2.3.0 and 2.4.0.
struct ID3Reader: Sendable {
  private static let headerByteCount = 10

  /// The number of bytes of the tag that were not appended yet, its header included.
  private(set) var leftByteCount: Int64
  /// The texts that were found.
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]

  /// Reads the header of a tag; nil if the bytes are not a whole header.
  init?(header bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.headerByteCount))
    guard head.count == Self.headerByteCount, head.starts(with: Array("ID3".utf8)) else {
      return nil
    }
    let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
    leftByteCount = size + (head[5] & 0x10 == 0 ? 10 : 20)
  }

  /// Appends the next bytes of the tag, its header first; returns how many of them belong to it.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = Int(min(leftByteCount, Int64(bytes.count)))
    leftByteCount -= Int64(count)
    return count
  }
}
