// SPDX-License-Identifier: Apache-2.0

/// Iterates over the lines of a text without storing them.
///
/// A line ends at a line feed, which is not part of the line.
package struct ByteLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var offset = 0

  /// Creates an iterator at the first line.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next line; nil at the end.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard offset < bytes.count else { return nil }
    let start = offset
    while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
    defer { offset += 1 }
    return bytes[start..<offset]
  }
}
