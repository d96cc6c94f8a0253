// SPDX-License-Identifier: Apache-2.0

/// A description of earlier packets, with which a receiver repairs the effects of lost packets.
///
/// Source: RFC 6295, section 5.
package struct Journal: Hashable, Sendable {
  /// The number of the first packet that the journal covers.
  package var checkpoint: UInt16
  /// The system part; nil if it would be empty.
  package var system: SystemJournal?
  /// The parts of channels with changes, at most 16.
  package var channels: [ChannelJournal]

  /// Creates a journal.
  package init(checkpoint: UInt16, system: SystemJournal? = nil, channels: [ChannelJournal] = []) {
    (self.checkpoint, self.system, self.channels) = (checkpoint, system, channels)
  }

  /// Decodes a journal.
  ///
  /// Bytes after it are ignored.
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

  /// The encoded bytes.
  ///
  /// The bit S of the whole journal (no changes by the previous packet) is not used: it would
  /// hardly save time, and some receivers take it for the flag of the system part.
  package var encoded: [UInt8] {
    var flags: UInt8 = 0
    if system != nil { flags |= 0x40 }
    if !channels.isEmpty { flags |= 0x20 | UInt8(channels.count - 1) }
    var octets = [flags]
    octets.append(highFirst: checkpoint)
    return octets + (system?.encoded ?? []) + channels.flatMap(\.encoded)
  }
}

/// A 7-bit value in a journal, with a flag for a change by the previous packet.
package struct JournalValue: Hashable, Sendable {
  /// The value, 0…127.
  package var value: UInt8
  /// True if the previous packet changed it (S = 0).
  package var isNew: Bool

  /// Creates a value.
  package init(_ value: UInt8, isNew: Bool) {
    (self.value, self.isNew) = (value, isNew)
  }

  init(_ octet: UInt8) { self.init(octet & 0x7F, isNew: octet < 0x80) }

  var octet: UInt8 { (value & 0x7F) | (isNew ? 0 : 0x80) }
}
