// SPDX-License-Identifier: Apache-2.0

/// One MIDI 1.0 channel or short system message, in four bytes.
///
/// A SysEx message is not a `Message`; it is an event with separate bytes
/// (`TimedEvent.Payload.sysEx`).
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, tables I–VI.
public struct Message: Hashable, BitwiseCopyable, Sendable {
  /// The status byte, 0x80…0xFF.
  public let status: UInt8
  /// The first data byte, 0…127; 0 if the message does not have one.
  public let data1: UInt8
  /// The second data byte, 0…127; 0 if the message does not have one.
  public let data2: UInt8

  /// Creates a message from its bytes.
  ///
  /// Their ranges are not checked.
  @inlinable
  public init(status: UInt8, data1: UInt8 = 0, data2: UInt8 = 0) {
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }

  /// The channel of a channel message; nil for a system message.
  @inlinable
  public var channel: Channel? {
    (0x80...0xEF).contains(status) ? Channel(index: status & 0x0F) : nil
  }

  /// The number of bytes of the message when it is sent, 1…3.
  @inlinable
  public var length: Int {
    switch status {
    case 0xC0...0xDF, 0xF1, 0xF3: 2
    case 0x80...0xEF, 0xF2: 3
    default: 1
    }
  }
}

extension Message {
  /// Creates a note-on.
  ///
  /// Velocity 0 releases the note.
  @inlinable
  public static func noteOn(_ channel: Channel, _ key: Key, velocity: UInt8) -> Message {
    Message(status: 0x90 | channel.index, data1: key.number, data2: velocity & 0x7F)
  }

  /// Creates a note-off with a release velocity, 0…127; 64 by default.
  @inlinable
  public static func noteOff(_ channel: Channel, _ key: Key, velocity: UInt8 = 64) -> Message {
    Message(status: 0x80 | channel.index, data1: key.number, data2: velocity & 0x7F)
  }

  /// Creates a control change with a value, 0…127.
  @inlinable
  public static func control(
    _ channel: Channel, _ controller: Controller, value: UInt8
  ) -> Message {
    Message(status: 0xB0 | channel.index, data1: controller.number, data2: value & 0x7F)
  }

  /// Creates a program change.
  ///
  /// Programs are counted from 0.
  @inlinable
  public static func program(_ channel: Channel, _ program: UInt8) -> Message {
    Message(status: 0xC0 | channel.index, data1: program & 0x7F)
  }

  /// Creates a pitch bend with a value, 0…16383; 8192 is the centre.
  @inlinable
  public static func bend(_ channel: Channel, _ value: UInt16) -> Message {
    Message(
      status: 0xE0 | channel.index, data1: UInt8(value & 0x7F), data2: UInt8((value >> 7) & 0x7F))
  }
}

extension Message {
  /// Returns the message that begins at a position in bytes, and its length, or nil if a complete
  /// message does not begin there.
  ///
  /// SysEx is not a message, and running status is not supported.
  public static func first(
    in bytes: Span<UInt8>, from start: Int, before end: Int
  ) -> (message: Message, count: Int)? {
    guard start < end else { return nil }
    switch bytes[start] {
    case 0x80...0xEF, 0xF1...0xF3, 0xF6, 0xF8...0xFF: break
    default: return nil
    }
    let count = Message(status: bytes[start]).length
    guard start + count <= end else { return nil }
    for index in start + 1..<start + count where bytes[index] >= 0x80 { return nil }
    let message = Message(
      status: bytes[start], data1: count > 1 ? bytes[start + 1] : 0,
      data2: count > 2 ? bytes[start + 2] : 0)
    return (message, count)
  }
}
