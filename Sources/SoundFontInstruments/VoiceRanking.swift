// SPDX-License-Identifier: Apache-2.0

/// Voices in the order in which they are let go where there are too many.
///
/// First those whose key is up, the oldest first; then those that only a pedal holds, the oldest
/// first; then those that are held, and drums, the quietest first and of these the oldest.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
package struct VoiceRanking: ~Copyable {
  /// What holds a voice.
  package enum Hold: UInt64, BitwiseCopyable, Sendable {
    /// Nothing: its key is up.
    case none
    /// A pedal alone.
    case pedal
    /// Its key; drums count among them.
    case key
  }

  private struct Entry: BitwiseCopyable {
    let rank: UInt64
    let place: Int
  }

  private let capacity: Int
  /// A heap: no entry ranks before the one at half its place.
  private let entries: UnsafeMutablePointer<Entry>
  /// The voices that are ranked and not taken.
  package private(set) var count = 0

  /// Makes room for some voices.
  package init(capacity: Int) {
    self.capacity = capacity
    unsafe entries = .allocate(capacity: max(1, capacity))
  }

  deinit {
    unsafe entries.deallocate()
  }

  /// Forgets all voices.
  @_noAllocation @_noLocks
  package mutating func removeAll() { count = 0 }

  /// Ranks a voice; one for which there is no room is left out.
  ///
  /// - Parameters:
  ///   - place: what `takeFirst` returns for it.
  ///   - hold: what holds it.
  ///   - velocity: how hard it was struck, 0…127.
  ///   - note: the number of its note; those of later notes are higher.
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

  /// Takes the voice that is let go first; nil where none is left.
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
