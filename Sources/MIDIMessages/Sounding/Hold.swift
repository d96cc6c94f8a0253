// SPDX-License-Identifier: Apache-2.0

/// A state that one message begins and another must end: a pressed key, a pedal that is down, or a
/// pitch bend.
///
/// The pedals are `Controller.pedals`, which are down from 64 on. A bend begins when it leaves its
/// centre, 8192. Channel mode messages (120…127), such as all notes off, do not end a hold, because
/// a receiver may ignore them. The release is therefore still sent; an additional release is
/// harmless.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1.
public struct Hold: Hashable, BitwiseCopyable, Sendable {
  /// The number of possible holds: for each channel the keys, the pedals and the bend.
  public static var count: Int { 16 * width }
  /// 128 keys, four pedals and the bend.
  private static var width: Int { 133 }
  fileprivate static var bendPlace: UInt8 { 132 }

  /// The channel of the key, pedal or bend.
  public let channel: Channel
  private let place: UInt8

  @inline(__always)
  fileprivate init(_ channel: Channel, place: UInt8) {
    self.channel = channel
    self.place = place
  }

  /// Creates a hold from its index.
  ///
  /// - Precondition: The index is in 0..<`count`.
  public init(index: Int) {
    precondition((0..<Self.count).contains(index), "hold index out of range")
    let (channel, place) = index.quotientAndRemainder(dividingBy: Self.width)
    self.init(Channel(index: UInt8(channel)), place: UInt8(place))
  }

  /// All holds of a channel, in the order in which they are released.
  static func all(of channel: Channel) -> some Sequence<Hold> {
    (0...bendPlace).lazy.map { Hold(channel, place: $0) }
  }

  /// The index of the hold among all possible ones, 0..<`count`.
  public var index: Int { Int(channel.index) * Self.width + Int(place) }

  /// True for a key, which can be pressed several times before it is released; false for a pedal or
  /// bend.
  public var isKey: Bool { place < 128 }

  var isBend: Bool { place == Self.bendPlace }

  /// The message that ends the hold.
  public var release: Message {
    if isKey { return .noteOff(channel, Key(place)) }
    return isBend
      ? .bend(channel, 8192) : .control(channel, Controller.pedals[Int(place) - 128], value: 0)
  }

  /// Updates the number of releases that must still be sent, after the hold has begun or ended.
  ///
  /// - Parameters:
  ///   - begun: True if the hold has begun; false if it has ended.
  ///   - owed: The number of releases, which is changed; 0…255.
  @inline(__always)
  public func count(begun: Bool, in owed: inout UInt8) {
    if !isKey {
      owed = begun ? 1 : 0
    } else if begun {
      if owed < .max { owed += 1 }
    } else if owed > 0 {
      owed -= 1
    }
  }
}

extension Message {
  /// The hold that the message begins or ends; nil for other messages.
  public var hold: (hold: Hold, begins: Bool)? {
    let channel = Channel(index: status & 0x0F)
    switch status & 0xF0 {
    case 0x80: return (Hold(channel, place: data1 & 0x7F), false)
    case 0x90: return (Hold(channel, place: data1 & 0x7F), data2 > 0)
    case 0xB0:
      guard let pedal = Controller(data1).pedalIndex else { return nil }
      return (Hold(channel, place: 128 + UInt8(pedal)), Controller.isDown(data2))
    case 0xE0: return (Hold(channel, place: Hold.bendPlace), data1 != 0 || data2 != 64)
    default: return nil
    }
  }

  /// True if the message can only end a hold: a note-off, a released pedal, a centred bend or a
  /// mode message.
  public var isRelease: Bool {
    if let hold { return !hold.begins }
    return status & 0xF0 == 0xB0 && Controller(data1).isMode
  }
}
