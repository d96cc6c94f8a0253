// SPDX-License-Identifier: Apache-2.0

/// The last clocks of a follower, with its state before each, so that it can return and replay.
struct TickHistory: Sendable {
  /// A clock as it was counted.
  struct Entry: BitwiseCopyable, Sendable {
    var arrival: Int64 = 0
    /// The number of ticks from the previous clock.
    var steps = 1
    /// The state before it.
    var before = TickState()
    var logLikelihood = 0.0
    /// The distance from its prediction, in nanoseconds.
    var distance = 0.0
  }

  static let capacity = 64

  private(set) var count = 0
  private var newest = 0
  private var entries = InlineArray<64, Entry>(repeating: Entry())

  // Inlined, like other functions that read a follower: a call would copy the whole follower.

  /// The entry a number of clocks ago; 1 is the newest.
  subscript(ago ago: Int) -> Entry {
    @inline(__always)
    get { entries[(newest &+ 1 &- ago) & (Self.capacity - 1)] }
    @inline(__always)
    set { entries[(newest &+ 1 &- ago) & (Self.capacity - 1)] = newValue }
  }

  mutating func append(_ entry: Entry) {
    newest = (newest + 1) & (Self.capacity - 1)
    entries[newest] = entry
    count = min(count + 1, Self.capacity)
  }

  mutating func removeAll() { count = 0 }
}
