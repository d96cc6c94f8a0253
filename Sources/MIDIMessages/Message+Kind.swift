// SPDX-License-Identifier: Apache-2.0

extension Message {
  /// The kind of a message, with its decoded values.
  public enum Kind: Hashable, Sendable {
    /// A key is released, by a note-off or by a note-on with velocity 0.
    case noteOff(Channel, Key, velocity: UInt8)
    /// A key is pressed, with velocity 1…127.
    case noteOn(Channel, Key, velocity: UInt8)
    /// The pressure on one key (polyphonic aftertouch), 0…127.
    case keyPressure(Channel, Key, UInt8)
    /// A controller has a new value, 0…127.
    case control(Channel, Controller, UInt8)
    /// The channel selects a program, 0…127.
    case program(Channel, UInt8)
    /// The pressure on the whole channel (aftertouch), 0…127.
    case channelPressure(Channel, UInt8)
    /// The position of the pitch wheel, 0…16383; 8192 is the centre.
    case bend(Channel, UInt16)
    /// A system message: its status and data bytes.
    case system(UInt8, UInt8, UInt8)
  }

  /// The kind of the message, with its decoded values.
  @inlinable
  public var kind: Kind {
    let channel = Channel(index: status & 0x0F)
    let key = Key(data1)
    switch status & 0xF0 {
    case 0x80: return .noteOff(channel, key, velocity: data2)
    case 0x90 where data2 == 0: return .noteOff(channel, key, velocity: 64)
    case 0x90: return .noteOn(channel, key, velocity: data2)
    case 0xA0: return .keyPressure(channel, key, data2)
    case 0xB0: return .control(channel, Controller(data1), data2)
    case 0xC0: return .program(channel, data1)
    case 0xD0: return .channelPressure(channel, data1)
    case 0xE0: return .bend(channel, UInt16(data1) | UInt16(data2) << 7)
    default: return .system(status, data1, data2)
    }
  }
}
