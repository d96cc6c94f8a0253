// SPDX-License-Identifier: Apache-2.0

/// The order in which voices are released if there are too many.
///
/// First voices whose key is released, then voices that only a pedal holds, both from the oldest;
/// then held voices and drums, from the quietest, and among equals from the oldest.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
package struct VoiceRanking: ~Copyable {
  /// The reason that a voice is held.
  package enum Hold: UInt64, BitwiseCopyable, Sendable {
    /// The voice is not held: its key is released.
    case none
    /// Only a pedal holds the voice.
    case pedal
    /// The key holds the voice; this includes drums.
    case key
  }

  private struct Entry: BitwiseCopyable {
    let rank: UInt64
    let place: Int
  }

  private let capacity: Int
  /// A heap: no entry ranks before its parent, at half its index.
  private let entries: UnsafeMutablePointer<Entry>
  /// The number of voices in the ranking.
  package private(set) var count = 0

  /// Creates a ranking for a maximum number of voices.
  package init(capacity: Int) {
    self.capacity = capacity
    unsafe entries = .allocate(capacity: max(1, capacity))
  }

  deinit {
    unsafe entries.deallocate()
  }

  /// Removes all voices.
  @_noAllocation @_noLocks
  package mutating func removeAll() { count = 0 }

  /// Adds a voice; it is ignored if the ranking is full.
  ///
  /// - Parameters:
  ///   - place: the value that `takeFirst` returns for the voice.
  ///   - hold: the reason that the voice is held.
  ///   - velocity: the velocity, 0…127.
  ///   - note: the number of its note; later notes have higher numbers.
  /// - Complexity: O(log n)
  @_noAllocation @_noLocks
  package mutating func add(_ place: Int, hold: Hold, velocity: Int, note: UInt32) {
    guard count < capacity else { return }
    let loudness = hold == .key ? UInt64(truncatingIfNeeded: velocity & 0x7F) : 0
    let entry = Entry(rank: hold.rawValue << 40 | loudness << 32 | UInt64(note), place: place)
    var slot = count
    count &+= 1
    while slot > 0 {
      let parent = (slot &- 1) / 2
      guard unsafe entry.rank < entries[parent].rank else { break }
      unsafe entries[slot] = entries[parent]
      slot = parent
    }
    unsafe entries[slot] = entry
  }

  /// Removes and returns the voice to release first; nil if the ranking is empty.
  ///
  /// - Complexity: O(log n)
  @_noAllocation @_noLocks
  package mutating func takeFirst() -> Int? {
    guard count > 0 else { return nil }
    let first = unsafe entries[0].place
    count &-= 1
    let last = unsafe entries[count]
    var slot = 0
    while true {
      var child = 2 &* slot &+ 1
      guard child < count else { break }
      if child &+ 1 < count, unsafe entries[child &+ 1].rank < entries[child].rank { child &+= 1 }
      guard unsafe entries[child].rank < last.rank else { break }
      unsafe entries[slot] = entries[child]
      slot = child
    }
    unsafe entries[slot] = last
    return first
  }
}
