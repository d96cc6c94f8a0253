// SPDX-License-Identifier: Apache-2.0

/// What a packet says of those before it, so that whoever has lost some can mend what they did.
///
/// Source: RFC 6295, section 5.
package struct Journal: Hashable, Sendable {
  /// The number of the first packet that the journal tells of.
  package var checkpoint: UInt16
  /// What no channel has; nil where there is nothing of it.
  package var system: SystemJournal?
  /// Channels of which something is told, at most 16.
  package var channels: [ChannelJournal]

  /// Creates a journal.
  package init(checkpoint: UInt16, system: SystemJournal? = nil, channels: [ChannelJournal] = []) {
    (self.checkpoint, self.system, self.channels) = (checkpoint, system, channels)
  }

  /// Reads a journal; what stands behind it is left out.
  ///
  /// - Throws: `PacketError.tooShort` and `badJournal`.
  package init(parsing octets: [UInt8]) throws(PacketError) {
    var reader = OctetReader(octets)
    let flags = try reader.take(UInt8.self)
    checkpoint = try reader.take(UInt16.self)
    system = flags & 0x40 != 0 ? try SystemJournal(&reader) : nil
    channels = []
    guard flags & 0x20 != 0 else { return }
    for _ in 0...(flags & 0x0F) { channels.append(try ChannelJournal(&reader)) }
  }

  /// Its octets.
  ///
  /// That nothing in it is of the packet just before (S) is never said of the whole: it would spare
  /// others nothing but a look, and some take it for the mark of a system's part.
  package var encoded: [UInt8] {
    var flags: UInt8 = 0
    if system != nil { flags |= 0x40 }
    if !channels.isEmpty { flags |= 0x20 | UInt8(channels.count - 1) }
    var octets = [flags]
    octets.append(highFirst: checkpoint)
    return octets + (system?.encoded ?? []) + channels.flatMap(\.encoded)
  }
}

/// A 7-bit value of a journal, and whether the packet just before has changed it.
package struct JournalValue: Hashable, Sendable {
  /// The value, 0…127.
  package var value: UInt8
  /// Whether the packet just before has it (S = 0).
  package var isNew: Bool

  /// Creates a value.
  package init(_ value: UInt8, isNew: Bool) {
    (self.value, self.isNew) = (value, isNew)
  }

  init(_ octet: UInt8) { self.init(octet & 0x7F, isNew: octet < 0x80) }

  var octet: UInt8 { (value & 0x7F) | (isNew ? 0 : 0x80) }
}
