// SPDX-License-Identifier: Apache-2.0

/// Bytes that are assembled from several parts.
struct FontSegments: Sendable {
  private var parts: [FontBytes] = []
  /// The end of each part.
  private var ends: [Int] = []

  /// The number of bytes.
  var count: Int { ends.last ?? 0 }

  /// The maximum size of a piece that is copied at once.
  private static let pieceLength = 1 << 20

  /// Appends a part.
  mutating func append(_ part: FontBytes) {
    guard part.count > 0 else { return }
    parts.append(part)
    ends.append(count + part.count)
  }

  /// Appends bytes in memory.
  mutating func append(_ bytes: [UInt8]) { append(FontBytes(bytes)) }

  /// Appends zero bytes.
  mutating func append(zeros count: Int) {
    unsafe append(
      FontBytes(count: count) { target, _ in
        unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
        return target.count
      })
  }

  /// Appends all parts of another value.
  mutating func append(_ other: Self) {
    for part in other.parts { append(part) }
  }

  /// All parts as one.
  var bytes: FontBytes {
    unsafe FontBytes(count: count) { target, offset in unsafe read(into: target, at: offset) }
  }

  /// Reads bytes from all parts that the range covers; stops at the first part that cannot be read.
  private func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var done = 0
    var index = firstPart(endingAfter: offset)
    while index < parts.count, done < target.count {
      let start = offset + done - (ends[index] - parts[index].count)
      let length = min(target.count - done, parts[index].count - start)
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<done + length])
      let count = unsafe parts[index].read(into: piece, at: start)
      done += count
      guard count == length else { break }
      index += 1
    }
    return done
  }

  /// The first part with a byte at or after a position.
  private func firstPart(endingAfter place: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Passes all bytes to a closure in order, in pieces.
  func write(to sink: ([UInt8]) throws -> Void) throws {
    let all = bytes
    for place in stride(from: 0, to: count, by: Self.pieceLength) {
      try sink(all.bytes(place..<min(count, place + Self.pieceLength)))
    }
  }
}
