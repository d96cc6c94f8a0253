// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// One command of a packet, with the time that passes before it.
package struct PacketCommand: Hashable, Sendable {
  /// What is commanded.
  package enum Content: Hashable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A SysEx, or one piece of it: its octets without the marks around them.
    case sysEx([UInt8], opens: Bool, closes: Bool)
    /// The SysEx whose pieces came is not to be played.
    case cancelledSysEx
  }

  /// How much later than the command before it (the first: than the packet), in 100 µs; below 2²⁸.
  package var delay: UInt32
  /// What is commanded.
  package var content: Content

  /// Creates a command.
  package init(delay: UInt32 = 0, _ content: Content) {
    (self.delay, self.content) = (delay, content)
  }
}
