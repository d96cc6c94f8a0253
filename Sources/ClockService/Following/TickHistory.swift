// SPDX-License-Identifier: Apache-2.0

/// The last clocks of a follower, with what it believed before each: enough to go back and replay.
struct TickHistory: Sendable {
  /// A clock as it was taken.
  struct Entry: BitwiseCopyable, Sendable {
    var arrival: Int64 = 0
    /// How many ticks it was taken to be after the one before.
    var steps = 1
    /// What was believed before it.
    var before = TickState()
    var logLikelihood = 0.0
    /// How far off its prediction it was, in nanoseconds.
    var distance = 0.0
  }

  static let capacity = 64

  private(set) var count = 0
  private var newest = 0
  private var entries = InlineArray<64, Entry>(repeating: Entry())

  // Inlined, as are the other readers of a follower: called, they would be given a copy of it all.

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
