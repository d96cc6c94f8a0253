// SPDX-License-Identifier: Apache-2.0

/// One of the sixteen MIDI channels: stored 0…15, shown 1…16.
public struct Channel: Hashable, Comparable, BitwiseCopyable, Sendable, CustomStringConvertible {
  /// The channel as the wire carries it, 0…15.
  public let index: UInt8

  /// Creates a channel from the low four bits of an index.
  @inlinable
  public init(index: UInt8) {
    self.index = index & 0x0F
  }

  /// Creates a channel from its shown number, or nil outside 1…16.
  @inlinable
  public init?(number: Int) {
    guard (1...16).contains(number) else { return nil }
    self.index = UInt8(number - 1)
  }

  /// The channel as people count it, 1…16.
  @inlinable
  public var number: Int { Int(index) + 1 }

  /// The percussion channel of General MIDI, number 10.
  @inlinable
  public static var percussion: Channel { Channel(index: 9) }

  /// All sixteen, in order.
  public static var all: [Channel] { (0..<16).map { Channel(index: $0) } }

  /// Whether a channel's number is lower.
  @inlinable
  public static func < (left: Channel, right: Channel) -> Bool {
    left.index < right.index
  }

  /// The shown number.
  public var description: String { "\(number)" }
}

extension Channel: ExpressibleByIntegerLiteral {
  /// Creates a channel from its number as people count it: `let drums: Channel = 10`.
  ///
  /// - Precondition: the literal is 1…16. Where it comes from input, use `init(number:)`.
  public init(integerLiteral value: Int) {
    precondition((1...16).contains(value), "a channel must be 1 to 16")
    self.init(index: UInt8(value - 1))
  }
}
