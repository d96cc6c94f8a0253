// SPDX-License-Identifier: Apache-2.0

/// Bytes made of parts that lie in different places.
struct FontSegments: Sendable {
  private var parts: [FontBytes] = []
  /// The end of each part.
  private var ends: [Int] = []

  /// The number of bytes.
  var count: Int { ends.last ?? 0 }

  /// The longest piece that is copied at once.
  private static let pieceLength = 1 << 20

  /// Appends a part.
  mutating func append(_ part: FontBytes) {
    guard part.count > 0 else { return }
    parts.append(part)
    ends.append(count + part.count)
  }

  /// All parts as one.
  var bytes: FontBytes {
    FontBytes(count: count) { (range) throws(SoundFontError) in try bytes(range) }
  }

  /// The bytes of a range within them.
  private func bytes(_ range: Range<Int>) throws(SoundFontError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var index = firstPart(endingAfter: range.lowerBound)
    while index < parts.count, bytes.count < range.count {
      let start = ends[index] - parts[index].count
      bytes += try parts[index].bytes(
        max(0, range.lowerBound - start)..<min(parts[index].count, range.upperBound - start))
      index += 1
    }
    return bytes
  }

  /// The first part that has a byte at or after a place.
  private func firstPart(endingAfter place: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Gives all bytes in order, in pieces.
  func write(to sink: ([UInt8]) throws -> Void) throws {
    var place = 0
    while place < count {
      let end = min(count, place + Self.pieceLength)
      try sink(bytes(place..<end))
      place = end
    }
  }
}
