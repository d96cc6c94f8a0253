// SPDX-License-Identifier: Apache-2.0

/// The received byte ranges of a file.
struct ByteRanges: Hashable, Sendable {
  /// The ranges, in order and not adjacent.
  private(set) var ranges: [Range<Int64>] = []

  /// Adds bytes.
  ///
  /// - Complexity: O(n) in the number of ranges. Each seek adds at most one.
  mutating func insert(_ new: Range<Int64>) {
    guard !new.isEmpty else { return }
    let near = ranges.filter { $0.lowerBound <= new.upperBound && new.lowerBound <= $0.upperBound }
    let lower = near.reduce(new.lowerBound) { min($0, $1.lowerBound) }
    let upper = near.reduce(new.upperBound) { max($0, $1.upperBound) }
    ranges.removeAll { near.contains($0) }
    let place = ranges.firstIndex { $0.lowerBound > lower } ?? ranges.count
    ranges.insert(lower..<upper, at: place)
  }

  /// Returns true if all bytes of a range were added.
  func contains(_ range: Range<Int64>) -> Bool {
    range.isEmpty
      || ranges.contains {
        $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
      }
  }
}
