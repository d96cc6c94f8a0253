// SPDX-License-Identifier: Apache-2.0

/// Ascending keys, with a table that narrows a search to a few keys.
///
/// The table divides the range of the keys into stretches of equal length, two to four times as
/// many as there are keys. Most stretches contain at most one key, so that a search is a shift, two
/// reads and one comparison. If a stretch contains more keys, a branch-free binary search follows.
@usableFromInline
struct StepIndex: Sendable {
  /// The keys; the first is 0.
  @usableFromInline let keys: [Int64]
  /// For each stretch, the index of the last key at or below its first value.
  @usableFromInline let stretches: [Int32]
  @usableFromInline let shift: Int64

  /// Creates an index.
  ///
  /// - Precondition: `keys` is strictly ascending from 0, with fewer than 2³¹ elements.
  init(_ keys: [Int64]) {
    let last = keys[keys.count - 1]
    var shift: Int64 = 0
    while last >> shift >= 4 * Int64(keys.count) { shift += 1 }
    var stretches: [Int32] = []
    stretches.reserveCapacity(Int(last >> shift) + 2)
    for index in keys.indices {
      // All stretches that begin below this key and were not added for an earlier key.
      while keys[index] > 0, Int64(stretches.count) <= (keys[index] - 1) >> shift {
        stretches.append(Int32(index - 1))
      }
    }
    stretches.append(Int32(keys.count - 1))
    if stretches.count == 1 { stretches.append(0) }
    self.keys = keys
    self.shift = shift
    self.stretches = stretches
  }

  /// The number of keys.
  @inlinable
  var count: Int { keys.count }

  /// The last index whose key is at or below a value, or 0 if all keys are above it.
  ///
  /// - Complexity: O(1) if the keys are evenly spread; at worst O(log n) in the number of keys.
  @inlinable
  @inline(__always)
  func lastIndex(atOrBelow value: Int64) -> Int {
    let stretches = stretches.span
    let keys = keys.span
    let stretch = Int(min(max(value, 0) >> shift, Int64(stretches.count &- 2)))
    // 0 ≤ stretch ≤ count − 2, and every entry is an index of a key.
    let low = unsafe Int(stretches[unchecked: stretch])
    let high = unsafe Int(stretches[unchecked: stretch &+ 1])
    if high &- low < 2 {
      let isNext = unsafe keys[unchecked: high] <= value
      return isNext ? high : low
    }
    return search(from: low, count: high &- low &+ 1, value)
  }

  @inlinable
  @inline(__always)
  func search(from low: Int, count: Int, _ value: Int64) -> Int {
    let keys = keys.span
    var (base, count) = (low, count)
    while count > 1 {
      let half = count >> 1
      // base + half < base + count ≤ keys.count.
      base = unsafe keys[unchecked: base &+ half] <= value ? base &+ half : base
      count &-= half
    }
    return base
  }
}
