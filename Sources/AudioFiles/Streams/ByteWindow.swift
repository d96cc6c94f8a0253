// SPDX-License-Identifier: Apache-2.0

/// The bytes of a stream that were received but not parsed.
struct ByteWindow: Sendable {
  /// The position of the first byte in the stream.
  private(set) var offset: Int64
  private var bytes: [UInt8] = []
  private var head = 0
  /// The number of bytes to skip as they arrive.
  private var skipCount: Int64 = 0

  /// Creates an empty window at a position of the stream.
  init(at offset: Int64) { self.offset = offset }

  /// The bytes; their indices are not positions in the stream.
  var unread: ArraySlice<UInt8> { bytes[head...] }

  /// The number of bytes.
  var count: Int { bytes.count - head }

  /// The position after the last received byte.
  var endOffset: Int64 { offset + Int64(count) }

  /// True if the next bytes that arrive are skipped.
  var isSkipping: Bool { skipCount > 0 }

  /// Appends bytes, except those to skip.
  ///
  /// - Complexity: O(n) in the number of bytes in the window.
  mutating func append(_ more: [UInt8]) {
    let skipped = Int(min(skipCount, Int64(more.count)))
    skipCount -= Int64(skipped)
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
      offset += Int64(skipped)
    } else {
      bytes.removeFirst(head)
    }
    head = 0
    bytes += more.dropFirst(skipped)
  }

  /// Drops bytes.
  ///
  /// Those that have not been received are skipped when they arrive.
  mutating func drop(_ count: Int64) {
    let here = Int(min(count, Int64(self.count)))
    head += here
    offset += Int64(here)
    skipCount += count - Int64(here)
  }

  /// Drops received bytes.
  mutating func drop(_ count: Int) { drop(Int64(count)) }

  /// Drops all bytes and continues at a position.
  mutating func move(to offset: Int64) { self = ByteWindow(at: offset) }

  /// Drops the received bytes, and does not skip others.
  mutating func clear() { self = ByteWindow(at: endOffset) }

  /// Advances over the bytes to skip without receiving them; returns the position after them.
  mutating func pass() -> Int64 {
    let (end, overflows) = offset.addingReportingOverflow(skipCount)
    if skipCount > 0 { offset = overflows ? .max : end }
    skipCount = 0
    return endOffset
  }
}
