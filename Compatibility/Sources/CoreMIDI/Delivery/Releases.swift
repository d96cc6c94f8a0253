// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The note-offs that have to be sent when later messages are cancelled.
enum Releases {
  /// The cancelled note-offs whose note-ons are not among the cancelled messages.
  ///
  /// - Complexity: O(n) in the number of messages.
  static func owed(by messages: [Message]) -> [Message] {
    var struck: Set<UInt16> = []
    return messages.filter { message in
      let key = UInt16(message.status & 0x0F) << 8 | UInt16(message.data1)
      switch message.status & 0xF0 {
      case 0x90 where message.data2 > 0:
        struck.insert(key)
        return false
      case 0x80, 0x90: return struck.remove(key) == nil
      default: return false
      }
    }
  }

  /// The messages in the packets.
  static func messages(in packets: [TimedBytes]) -> [Message] {
    var parser = MessageParser()
    var found = HostEventBuffer(capacity: packets.count, payloadCapacity: 0)
    for packet in packets { parser.parse(packet.bytes.span, time: .zero, into: &found) }
    return found.events.compactMap { event in
      if case .message(let message) = event.payload { message } else { nil }
    }
  }
}
