// SPDX-License-Identifier: Apache-2.0

/// A key number, 0…127.
///
/// Key 60 is middle C, and key 69 is the A of 440 Hz.
public struct Key: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The key number, 0…127.
  public let number: UInt8

  /// Creates a key from its number; only the low seven bits are used.
  @inlinable
  public init(_ number: UInt8) {
    self.number = number & 0x7F
  }

  /// Returns true if the left key is lower than the right one.
  @inlinable
  public static func < (left: Key, right: Key) -> Bool {
    left.number < right.number
  }
}

extension Key: ExpressibleByIntegerLiteral {
  /// Creates a key from its number: `let middleC: Key = 60`.
  ///
  /// - Precondition: The literal is in 0…127.
  public init(integerLiteral value: Int) {
    precondition((0...127).contains(value), "a key must be 0 to 127")
    self.init(UInt8(value))
  }
}
