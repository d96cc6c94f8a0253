// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// One command of a packet, with the delay before it.
package struct PacketCommand: Hashable, Sendable {
  /// The content of the command.
  package enum Content: Hashable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A SysEx, or a piece of one: its bytes without F0 and F7.
    case sysEx([UInt8], opens: Bool, closes: Bool)
    /// Cancels a SysEx of which pieces were sent.
    case cancelledSysEx
  }

  /// The delay after the previous command (for the first, after the packet's time), in units of 100
  /// µs; below 2²⁸.
  package var delay: UInt32
  /// The content of the command.
  package var content: Content

  /// Creates a command.
  package init(delay: UInt32 = 0, _ content: Content) {
    (self.delay, self.content) = (delay, content)
  }
}
