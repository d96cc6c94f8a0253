// SPDX-License-Identifier: Apache-2.0

/// The last 48 residuals and their median, a measure of jitter that ignores single stray clocks.
struct JitterWindow: Sendable {
  static let capacity = 48

  private(set) var count = 0
  private var next = 0
  private var recent = InlineArray<48, Double>(repeating: 0)
  private var ordered = InlineArray<48, Double>(repeating: 0)

  /// The upper median; zero while empty.
  var median: Double { ordered[count / 2] }

  /// Adds a residual, in place of the oldest.
  ///
  /// - Complexity: O(capacity) moves.
  mutating func push(_ value: Double) {
    var hole = count
    if count == Self.capacity {
      let oldest = recent[next]
      hole = 0
      while ordered[hole] < oldest { hole += 1 }
    } else {
      count += 1
    }
    recent[next] = value
    next = next + 1 == Self.capacity ? 0 : next + 1
    while hole > 0, ordered[hole - 1] > value {
      ordered[hole] = ordered[hole - 1]
      hole -= 1
    }
    while hole + 1 < count, ordered[hole + 1] < value {
      ordered[hole] = ordered[hole + 1]
      hole += 1
    }
    ordered[hole] = value
  }
}
