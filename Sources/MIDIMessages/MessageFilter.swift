// SPDX-License-Identifier: Apache-2.0

/// Which messages pass: by kind, channel, key and velocity.
///
/// It looks at one message at a time. `ThruMap` adds the memory that lets a release follow its
/// note through a filter.
public struct MessageFilter: Hashable, Sendable {
  /// The kinds that pass.
  public var kinds: Kinds
  /// The channels that pass: bit n is channel index n.
  ///
  /// System messages have none and pass.
  public var channels: UInt16
  /// The channels on which notes are struck: of the others everything else passes, so that they are
  /// in their state when they are heard again; all by default.
  public var struckChannels: UInt16 = .max
  /// The keys that pass, for notes and key pressure.
  public var keys: NumberRange
  /// The velocities at which a note is struck that pass.
  public var velocities: NumberRange

  /// Creates a filter; without arguments everything passes.
  public init(
    kinds: Kinds = .all, channels: UInt16 = .max, keys: NumberRange = .all,
    velocities: NumberRange = .all
  ) {
    self.kinds = kinds
    self.channels = channels
    self.keys = keys
    self.velocities = velocities
  }

  /// Whether everything passes.
  public var passesAll: Bool { self == MessageFilter() }

  /// Whether a message passes.
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
/// Written low to high it holds what lies inside, both ends included; written high to low it
/// holds what lies outside: 80…40 is everything below 41 and above 79.
public struct NumberRange: Hashable, BitwiseCopyable, Sendable {
  /// Where the range begins.
  public let from: UInt8
  /// Where the range ends.
  public let through: UInt8

  /// Creates a range.
  public init(from: UInt8, through: UInt8) {
    self.from = from
    self.through = through
  }

  /// Every data byte.
  public static var all: NumberRange { NumberRange(from: 0, through: 127) }

  /// Whether a number lies in the range.
  public func contains(_ number: UInt8) -> Bool {
    from <= through
      ? (from...through).contains(number) : number >= from || number <= through
  }
}
