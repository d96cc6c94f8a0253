// SPDX-License-Identifier: Apache-2.0

/// A part of a piece that a transport plays over and over.
public struct LoopRange: Hashable, BitwiseCopyable, Sendable {
  /// The first tick of the part.
  public let start: Tick
  /// The tick after its last; above `start`.
  public let end: Tick
  /// How often the part is played in all; 0 for ever.
  public let count: Int

  /// Creates a range, or nil where it holds no tick or the count is below zero.
  public init?(start: Tick, end: Tick, count: Int = 0) {
    guard start < end, start >= .zero, count >= 0 else { return nil }
    self.start = start
    self.end = end
    self.count = count
  }

  /// Ticks from start to end.
  public var length: Int64 { end.value - start.value }
}
