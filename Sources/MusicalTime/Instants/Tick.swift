// SPDX-License-Identifier: Apache-2.0

/// A position in a sequence, in ticks.
///
/// The `Division` of the sequence determines the length of a tick.
///
/// At 480 PPQN and 120 beats per minute, one tick lasts 1 041 666⅔ ns. Negative ticks are before
/// the start of the sequence.
public struct Tick: Hashable, Comparable, BitwiseCopyable, Sendable, ExpressibleByIntegerLiteral {
  /// The number of ticks from the start of the sequence.
  public var value: Int64

  /// Creates a position from a number of ticks.
  @inlinable
  public init(_ value: Int64) {
    self.value = value
  }

  /// Creates a position from a literal number of ticks.
  @inlinable
  public init(integerLiteral value: Int64) {
    self.value = value
  }

  /// The start of the sequence.
  @inlinable
  public static var zero: Tick { Tick(0) }

  /// Returns true if the left position is before the right one.
  @inlinable
  public static func < (left: Tick, right: Tick) -> Bool {
    left.value < right.value
  }

  /// Returns the position that is later by a number of ticks.
  ///
  /// - Precondition: The result fits in 64 bits.
  @inlinable
  public func advanced(by distance: Int64) -> Tick {
    Tick(value + distance)
  }
}

/// The number of ticks per quarter note, 1…32767.
///
/// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
public struct PPQN: Hashable, BitwiseCopyable, Sendable {
  /// Ticks per quarter note, 1…32767.
  public let ticks: UInt16

  /// 480 ticks per quarter note, a common resolution.
  public static let standard = PPQN(unchecked: 480)

  private init(unchecked ticks: UInt16) {
    self.ticks = ticks
  }

  /// Creates a resolution, or returns nil if it is not 1…32767.
  @inlinable
  public init?(_ ticks: Int) {
    guard (1...32767).contains(ticks) else { return nil }
    self.ticks = UInt16(ticks)
  }
}
