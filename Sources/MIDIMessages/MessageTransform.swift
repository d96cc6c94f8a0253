// SPDX-License-Identifier: Apache-2.0

/// A transform of channels, keys, velocities and other values.
///
/// Values are changed first, then keys are transposed, and then the channel is mapped. The channels
/// in `drums` (before mapping) are not transposed. A note is dropped if its key would not be in
/// 0…127. Use a `ControlMap` to change controllers.
public struct MessageTransform: Hashable, Sendable {
  /// The new channel for each of the sixteen channels; nil drops the messages of a channel.
  public var channelMap: [Channel?] {
    didSet { precondition(channelMap.count == 16, "a channel map has 16 entries") }
  }
  /// The number of semitones to transpose by, −127…127; 0 by default.
  public var transposition = 0
  /// The channels that are not transposed; bit n is channel index n.
  ///
  /// Channel 10 by default.
  public var drums: UInt16 = 1 << 9
  /// The change of note-on velocities.
  ///
  /// A result of 0 becomes 1.
  public var velocity = ValueTransform.none
  /// The change of key pressure.
  public var keyPressure = ValueTransform.none
  /// The change of channel pressure.
  public var channelPressure = ValueTransform.none
  /// The change of program numbers.
  public var program = ValueTransform.none
  /// The change of pitch bend.
  ///
  /// Scaling is relative to the centre, 8192.
  public var bend = ValueTransform.none
  /// The change of key numbers, applied before transposition.
  ///
  /// Unlike transposition, the change also applies to drum channels.
  public var key = ValueTransform.none

  /// Creates a transform that does not change messages.
  public init() {
    channelMap = Channel.all
  }

  /// True if messages are not changed.
  public var isIdentity: Bool { self == MessageTransform() }

  /// Returns the changed message, or nil if it is dropped.
  public func apply(_ message: Message) -> Message? {
    guard let channel = message.channel else { return message }
    guard let target = channelMap[Int(channel.index)] else { return nil }
    let status = message.status & 0xF0 | target.index
    switch message.kind {
    case .noteOn(_, let key, let value):
      guard let key = transposed(key, on: channel) else { return nil }
      return velocity.apply(value).map { .noteOn(target, key, velocity: max($0, 1)) }
    case .noteOff(_, let key, _):
      guard let key = transposed(key, on: channel) else { return nil }
      return Message(status: status, data1: key.number, data2: message.data2)
    case .keyPressure(_, let key, let value):
      guard let key = transposed(key, on: channel) else { return nil }
      return keyPressure.apply(value).map { Message(status: status, data1: key.number, data2: $0) }
    case .program(_, let number):
      return program.apply(number).map { Message(status: status, data1: $0) }
    case .channelPressure(_, let value):
      return channelPressure.apply(value).map { Message(status: status, data1: $0) }
    case .bend(_, let value):
      return bend.apply(fine: value, about: 8192).map { .bend(target, $0) }
    default:
      return Message(status: status, data1: message.data1, data2: message.data2)
    }
  }

  private func transposed(_ struck: Key, on channel: Channel) -> Key? {
    guard let number = key.apply(struck.number) else { return nil }
    guard drums & (1 << channel.index) == 0 else { return Key(number) }
    let (moved, overflow) = Int(number).addingReportingOverflow(transposition)
    guard !overflow, (0...127).contains(moved) else { return nil }
    return Key(UInt8(moved))
  }
}
