// SPDX-License-Identifier: Apache-2.0

/// Reads Vorbis comments from pieces of any size.
///
/// Pictures are skipped without being stored. At most 64 comments of 4 KiB are stored, for any
/// input.
///
/// Source: Vorbis I specification, section 5; RFC 9639, section 8.6.
struct VorbisCommentReader {
  /// A comment.
  struct Comment: Hashable {
    /// The name, in capitals.
    let name: String
    let value: String
  }

  private enum Field { case vendorLength, vendor, count, length, comment, end }

  /// The comments so far, in order.
  private(set) var comments: [Comment] = []
  private var field = Field.vendorLength
  /// The first bytes of the field, the number of bytes to store, and the number of bytes to skip
  /// after them.
  private var held: [UInt8] = []
  private var wanted = 4
  private var toSkip = 0
  private var commentsLeft = 0

  private static let countLimit = 64
  private static let byteLimit = 4096
  private static let pictures: Set<String> = ["METADATA_BLOCK_PICTURE", "COVERART"]

  /// Reads the next bytes.
  ///
  /// - Complexity: O(n) in the number of bytes.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while field != .end {
      if held.count == wanted, toSkip == 0 {
        endField()
        continue
      }
      guard !rest.isEmpty else { return }
      let part = rest.prefix(wanted - held.count)
      held += part
      let skipped = min(toSkip, rest.count - part.count)
      toSkip -= skipped
      rest = rest.dropFirst(part.count + skipped)
    }
  }

  private mutating func endField() {
    switch field {
    case .vendorLength: begin(.vendor, of: number, keeping: 0)
    case .vendor: begin(.count, of: 4, keeping: 4)
    case .count:
      commentsLeft = number
      next()
    case .length: begin(.comment, of: number, keeping: Self.byteLimit)
    case .comment:
      keep()
      commentsLeft -= 1
      next()
    case .end: break
    }
  }

  /// Starts a field of which at most `limit` bytes are stored.
  private mutating func begin(_ new: Field, of length: Int, keeping limit: Int) {
    field = new
    wanted = min(length, limit)
    toSkip = length - wanted
    held.removeAll(keepingCapacity: true)
  }

  private mutating func next() {
    begin(commentsLeft > 0 ? .length : .end, of: 4, keeping: 4)
  }

  private var number: Int { Int(held[...].little(0, 4)) }

  private mutating func keep() {
    guard comments.count < Self.countLimit,
      let sign = held.firstIndex(of: UInt8(ascii: "=")), sign > 0
    else { return }
    let name = String(decoding: held[..<sign], as: UTF8.self).uppercased()
    guard !Self.pictures.contains(name) else { return }
    comments.append(
      Comment(name: name, value: String(decoding: held[(sign + 1)...], as: UTF8.self)))
  }
}
