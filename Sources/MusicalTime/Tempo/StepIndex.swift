// SPDX-License-Identifier: Apache-2.0

/// Ascending keys, and a table that says between which of them a value of a stretch can lie.
///
/// The stretches are equally long, and two to four times as many as there are keys: most hold one
/// key at most, and a look-up is a shift, two neighbours of the table and one comparison. Where
/// keys crowd, a branch-free search goes on between the two.
@usableFromInline
struct StepIndex: Sendable {
  /// The keys; the first is 0.
  @usableFromInline let keys: [Int64]
  /// By stretch, the last key at or below the stretch's first value.
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
      // Every stretch that begins below this key, and was not begun below the one before.
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

  /// The last index whose key is at or below a value; 0 where none is.
  ///
  /// - Complexity: O(1) where keys are spread evenly, O(log n) in the number of keys at worst.
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
