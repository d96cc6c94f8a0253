// SPDX-License-Identifier: Apache-2.0

/// How messages change on their way: channel, key, velocity and other values.
///
/// Order: values are altered, keys transposed, and last the channel is mapped. Transposition
/// spares the channels in `drums`, named as they come in. A key that would leave 0…127 by it is
/// dropped, not folded. Controllers are changed by a `ControlMap`.
public struct MessageTransform: Hashable, Sendable {
  /// The channel each of the sixteen becomes; nil drops it.
  public var channelMap: [Channel?] {
    didSet { precondition(channelMap.count == 16, "a channel map has 16 entries") }
  }
  /// How many semitones keys move up, −127…127; 0 by default.
  public var transposition = 0
  /// The channels that are not transposed, bit n for channel index n: channel 10 by default.
  public var drums: UInt16 = 1 << 9
  /// What becomes of the velocity at which notes are struck; a result of 0 counts as 1; as it is by
  /// default.
  public var velocity = ValueTransform.none
  /// What becomes of pressure on a key; as it is by default.
  public var keyPressure = ValueTransform.none
  /// What becomes of pressure on a channel; as it is by default.
  public var channelPressure = ValueTransform.none
  /// What becomes of program numbers; as they are by default.
  public var program = ValueTransform.none
  /// What becomes of the bend wheel; it is scaled about its centre, 8192; as it is by default.
  public var bend = ValueTransform.none
  /// What becomes of key numbers, drums included, before they are transposed; as they are by
  /// default.
  public var key = ValueTransform.none

  /// Creates a transform that changes nothing.
  public init() {
    channelMap = Channel.all
  }

  /// Whether nothing is changed.
  public var isIdentity: Bool { self == MessageTransform() }

  /// The message changed, or nil where it is dropped.
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
