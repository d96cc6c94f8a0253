// SPDX-License-Identifier: Apache-2.0

/// Which bytes of a whole are there.
struct ByteRanges: Hashable, Sendable {
  /// Apart from one another, in order.
  private(set) var ranges: [Range<Int64>] = []

  /// Adds bytes.
  ///
  /// - Complexity: O(n) in the number of ranges, of which each seek makes one more at most.
  mutating func insert(_ new: Range<Int64>) {
    guard !new.isEmpty else { return }
    let near = ranges.filter { $0.lowerBound <= new.upperBound && new.lowerBound <= $0.upperBound }
    let lower = near.reduce(new.lowerBound) { min($0, $1.lowerBound) }
    let upper = near.reduce(new.upperBound) { max($0, $1.upperBound) }
    ranges.removeAll { near.contains($0) }
    let place = ranges.firstIndex { $0.lowerBound > lower } ?? ranges.count
    ranges.insert(lower..<upper, at: place)
  }

  /// Whether all of a range is there.
  func contains(_ range: Range<Int64>) -> Bool {
    range.isEmpty
      || ranges.contains {
        $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
      }
  }
}
