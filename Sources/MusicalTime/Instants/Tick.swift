// SPDX-License-Identifier: Apache-2.0

/// A position in a sequence, in ticks: an integer whose length the sequence's division sets.
///
/// At 480 PPQN and 120 beats per minute one tick lasts 1 041 666⅔ ns. Negative ticks lie before
/// the sequence's origin.
public struct Tick: Hashable, Comparable, BitwiseCopyable, Sendable, ExpressibleByIntegerLiteral {
  /// The count of ticks from the sequence's origin.
  public var value: Int64

  /// Creates a position from a count of ticks.
  @inlinable
  public init(_ value: Int64) {
    self.value = value
  }

  /// Creates a position from a literal count of ticks.
  @inlinable
  public init(integerLiteral value: Int64) {
    self.value = value
  }

  /// The sequence's origin.
  @inlinable
  public static var zero: Tick { Tick(0) }

  /// Whether a position comes before another.
  @inlinable
  public static func < (left: Tick, right: Tick) -> Bool {
    left.value < right.value
  }

  /// The position a number of ticks later; traps past 64 bits.
  @inlinable
  public func advanced(by distance: Int64) -> Tick {
    Tick(value + distance)
  }
}

/// The number of ticks in a quarter note, 1…32767.
///
/// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
public struct PPQN: Hashable, BitwiseCopyable, Sendable {
  /// Ticks per quarter note, 1…32767.
  public let ticks: UInt16

  /// 480 ticks: the resolution of most programs.
  public static let standard = PPQN(unchecked: 480)

  private init(unchecked ticks: UInt16) {
    self.ticks = ticks
  }

  /// Creates a resolution, or nil outside 1…32767.
  @inlinable
  public init?(_ ticks: Int) {
    guard (1...32767).contains(ticks) else { return nil }
    self.ticks = UInt16(ticks)
  }
}
