// SPDX-License-Identifier: Apache-2.0

/// What one message begins and another has to end: a struck key, a pedal that is down, a bend.
///
/// It is the one place that says what sounds and what ends it. The pedals are
/// `Controller.pedals`, down at 64 and above; a bend is begun off its centre, 8192. All sound off,
/// reset all controllers, all notes off and the modes (120…127) end nothing for certain: a receiver
/// may not know them, and in Omni mode it leaves all notes off alone. So what was begun stays owed:
/// a release too many does no harm.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1.
public struct Hold: Hashable, BitwiseCopyable, Sendable {
  /// How many there are: of each channel the keys, then the pedals, then the bend.
  public static var count: Int { 16 * width }
  /// 128 keys, four pedals and the bend.
  private static var width: Int { 133 }
  fileprivate static var bendPlace: UInt8 { 132 }

  /// The channel.
  public let channel: Channel
  private let place: UInt8

  @inline(__always)
  fileprivate init(_ channel: Channel, place: UInt8) {
    self.channel = channel
    self.place = place
  }

  /// Creates the hold at an index among all.
  ///
  /// - Precondition: the index is one of 0..<`count`.
  public init(index: Int) {
    precondition((0..<Self.count).contains(index), "hold index out of range")
    let (channel, place) = index.quotientAndRemainder(dividingBy: Self.width)
    self.init(Channel(index: UInt8(channel)), place: UInt8(place))
  }

  /// Those of a channel, in the order in which they are ended.
  static func all(of channel: Channel) -> some Sequence<Hold> {
    (0...bendPlace).lazy.map { Hold(channel, place: $0) }
  }

  /// Its index among all.
  public var index: Int { Int(channel.index) * Self.width + Int(place) }

  /// Whether it is a key, which can be struck more than once; a pedal is down or up.
  public var isKey: Bool { place < 128 }

  var isBend: Bool { place == Self.bendPlace }

  /// What ends it.
  public var release: Message {
    if isKey { return .noteOff(channel, Key(place)) }
    return isBend
      ? .bend(channel, 8192) : .control(channel, Controller.pedals[Int(place) - 128], value: 0)
  }

  /// Changes how many ends are owed, at most 255, once it was begun or ended.
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
  /// What the message begins or ends; nil where it does neither.
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

  /// Whether it can only end something: a note-off, a pedal or bend at rest, a mode message.
  public var isRelease: Bool {
    if let hold { return !hold.begins }
    return status & 0xF0 == 0xB0 && Controller(data1).isMode
  }
}
