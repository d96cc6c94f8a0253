// SPDX-License-Identifier: Apache-2.0

extension Message {
  /// What a message says, decoded.
  public enum Kind: Hashable, Sendable {
    /// The key is released; also a note-on of velocity 0.
    case noteOff(Channel, Key, velocity: UInt8)
    /// The key is struck, at velocity 1…127.
    case noteOn(Channel, Key, velocity: UInt8)
    /// Pressure on one key, 0…127.
    case keyPressure(Channel, Key, UInt8)
    /// A controller takes a value, 0…127.
    case control(Channel, Controller, UInt8)
    /// The channel changes to a program, 0…127.
    case program(Channel, UInt8)
    /// Pressure on the whole channel, 0…127.
    case channelPressure(Channel, UInt8)
    /// The bend wheel, 0…16383 with 8192 at rest.
    case bend(Channel, UInt16)
    /// A system message: its status and data bytes.
    case system(UInt8, UInt8, UInt8)
  }

  /// The message decoded.
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
