// SPDX-License-Identifier: Apache-2.0

/// A filter that messages pass depending on their kind, channel, key and velocity.
///
/// The filter examines each message separately. Use `ThruMap` to let a note-off always pass if its
/// note-on did.
public struct MessageFilter: Hashable, Sendable {
  /// The kinds of messages that pass.
  public var kinds: Kinds
  /// The channels that pass; bit n is channel index n.
  ///
  /// System messages do not have a channel and always pass.
  public var channels: UInt16
  /// The channels whose note-ons pass; all by default.
  ///
  /// Bit n is channel index n.
  ///
  /// Other messages of excluded channels pass, so that controllers and programs are correct when
  /// the channels are included again.
  public var struckChannels: UInt16 = .max
  /// The keys that pass, for notes and key pressure.
  public var keys: NumberRange
  /// The velocities of note-ons that pass.
  public var velocities: NumberRange

  /// Creates a filter that all messages pass, except as specified.
  public init(
    kinds: Kinds = .all, channels: UInt16 = .max, keys: NumberRange = .all,
    velocities: NumberRange = .all
  ) {
    self.kinds = kinds
    self.channels = channels
    self.keys = keys
    self.velocities = velocities
  }

  /// True if all messages pass.
  public var passesAll: Bool { self == MessageFilter() }

  /// Returns true if a message passes the filter.
  public func passes(_ message: Message) -> Bool {
    guard kinds.contains(Kinds(of: message)) else { return false }
    guard let channel = message.channel else { return true }
    guard channels & (1 << channel.index) != 0 else { return false }
    switch message.kind {
    case .noteOn(_, let key, let velocity):
      return struckChannels & (1 << channel.index) != 0 && keys.contains(key.number)
        && velocities.contains(velocity)
    case .noteOff(_, let key, _), .keyPressure(_, let key, _):
      return keys.contains(key.number)
    default:
      return true
    }
  }
}

/// A range of data bytes, 0…127.
///
/// If `from` is at most `through`, the range contains the numbers from one to the other. Otherwise
/// it contains the numbers outside: `from` 80 `through` 40 is 0…40 and 80…127.
public struct NumberRange: Hashable, BitwiseCopyable, Sendable {
  /// The number at which the range begins.
  public let from: UInt8
  /// The number at which the range ends, which is part of the range.
  public let through: UInt8

  /// Creates a range from its first and last number.
  public init(from: UInt8, through: UInt8) {
    self.from = from
    self.through = through
  }

  /// All data bytes, 0…127.
  public static var all: NumberRange { NumberRange(from: 0, through: 127) }

  /// Returns true if a number is in the range.
  public func contains(_ number: UInt8) -> Bool {
    from <= through
      ? (from...through).contains(number) : number >= from || number <= through
  }
}
