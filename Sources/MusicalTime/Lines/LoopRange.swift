// SPDX-License-Identifier: Apache-2.0

/// A range of a song that a transport repeats.
public struct LoopRange: Hashable, BitwiseCopyable, Sendable {
  /// The first tick of the range.
  public let start: Tick
  /// The tick after the last tick of the range; above `start`.
  public let end: Tick
  /// The number of times that the range is played; 0 for endless repetition.
  public let count: Int

  /// Creates a range, or returns nil if it is empty, starts before tick 0, or the count is
  /// negative.
  public init?(start: Tick, end: Tick, count: Int = 0) {
    guard start < end, start >= .zero, count >= 0 else { return nil }
    self.start = start
    self.end = end
    self.count = count
  }

  /// The length of the range in ticks.
  public var length: Int64 { end.value - start.value }
}
