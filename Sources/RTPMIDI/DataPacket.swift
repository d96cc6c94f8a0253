// SPDX-License-Identifier: Apache-2.0

/// A packet of MIDI commands: its time, the commands, and the journal of earlier packets.
///
/// Source: RFC 6295, sections 2 and 3.
package struct DataPacket: Hashable, Sendable {
  /// The number of the packet; it increases by 1, and 0 follows 65,535.
  package var sequence: UInt16
  /// The start of the packet on the session's clock, in units of 100 µs, modulo 2³².
  package var time: UInt32
  /// The identifier of the sender (SSRC).
  package var source: UInt32
  /// The commands, in order.
  package var commands: [PacketCommand]
  /// The bytes of the recovery journal; nil if the packet does not have one.
  package var journal: [UInt8]?

  /// Creates a packet.
  package init(
    sequence: UInt16, time: UInt32, source: UInt32, commands: [PacketCommand] = [],
    journal: [UInt8]? = nil
  ) {
    (self.sequence, self.time, self.source) = (sequence, time, source)
    (self.commands, self.journal) = (commands, journal)
  }

  /// Decodes a datagram.
  ///
  /// The journal's bytes are not decoded.
  ///
  /// - Throws: `PacketError.notRTPMIDI`, `tooShort` and `badCommand`.
  package init(parsing datagram: [UInt8]) throws(PacketError) {
    var reader = OctetReader(datagram)
    let first = try reader.take(UInt8.self)
    let type = try reader.take(UInt8.self)
    // Version 2 without padding and extension, and one of the dynamic payload types.
    guard first & 0xF0 == 0x80, type & 0x7F >= 96 else { throw .notRTPMIDI }
    sequence = try reader.take(UInt16.self)
    time = try reader.take(UInt32.self)
    source = try reader.take(UInt32.self)
    _ = try reader.take(count: 4 * Int(first & 0x0F))
    let flags = try reader.take(UInt8.self)
    var length = Int(flags & Flag.length)
    if flags & Flag.isLong != 0 { length = length << 8 | Int(try reader.take(UInt8.self)) }
    commands = try CommandList.commands(
      in: try reader.take(count: length), startsWithDelay: flags & Flag.startsWithDelay != 0)
    journal = flags & Flag.hasJournal != 0 ? reader.rest : nil
  }

  /// Encodes the packet as a datagram.
  ///
  /// - Returns: The bytes. The marker bit is never set, because a common driver drops packets that
  ///   have it.
  /// - Throws: `PacketError.tooLong` and `delayTooLong`.
  package func encoded() throws(PacketError) -> [UInt8] {
    let (list, startsWithDelay) = try CommandList.octets(commands)
    guard list.count < 4_096 else { throw .tooLong(octets: list.count) }
    var octets: [UInt8] = [0x80, Self.payloadType]
    octets.append(highFirst: sequence)
    octets.append(highFirst: time)
    octets.append(highFirst: source)
    var flags = journal == nil ? 0 : Flag.hasJournal
    if startsWithDelay { flags |= Flag.startsWithDelay }
    if list.count < 16 {
      octets.append(flags | UInt8(list.count))
    } else {
      octets.append(flags | Flag.isLong | UInt8(list.count >> 8))
      octets.append(UInt8(list.count & 0xFF))
    }
    return octets + list + (journal ?? [])
  }

  /// The payload type of sessions.
  package static let payloadType: UInt8 = 97

  private enum Flag {
    static let isLong: UInt8 = 0x80
    static let hasJournal: UInt8 = 0x40
    static let startsWithDelay: UInt8 = 0x20
    static let length: UInt8 = 0x0F
  }
}
