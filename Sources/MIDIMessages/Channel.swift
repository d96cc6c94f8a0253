// SPDX-License-Identifier: Apache-2.0

/// One of the sixteen MIDI channels: 0…15 in code and messages, 1…16 for users.
public struct Channel: Hashable, Comparable, BitwiseCopyable, Sendable, CustomStringConvertible {
  /// The channel number as it is sent, 0…15.
  public let index: UInt8

  /// Creates a channel from its index; only the low four bits are used.
  @inlinable
  public init(index: UInt8) {
    self.index = index & 0x0F
  }

  /// Creates a channel from its number, or returns nil if it is outside 1…16.
  @inlinable
  public init?(number: Int) {
    guard (1...16).contains(number) else { return nil }
    self.index = UInt8(number - 1)
  }

  /// The channel's number for users, 1…16.
  @inlinable
  public var number: Int { Int(index) + 1 }

  /// Channel 10, the percussion channel of General MIDI.
  @inlinable
  public static var percussion: Channel { Channel(index: 9) }

  /// All sixteen channels, in order.
  public static var all: [Channel] { (0..<16).map { Channel(index: $0) } }

  /// Returns true if the left channel has a lower number than the right one.
  @inlinable
  public static func < (left: Channel, right: Channel) -> Bool {
    left.index < right.index
  }

  /// The number for users, 1…16.
  public var description: String { "\(number)" }
}

extension Channel: ExpressibleByIntegerLiteral {
  /// Creates a channel from its number for users: `let drums: Channel = 10`.
  ///
  /// - Precondition: The literal is in 1…16. For numbers from input, use `init(number:)`.
  public init(integerLiteral value: Int) {
    precondition((1...16).contains(value), "a channel must be 1 to 16")
    self.init(index: UInt8(value - 1))
  }
}
