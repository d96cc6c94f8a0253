// SPDX-License-Identifier: Apache-2.0

/// A silent packet of MPEG layer III with the bytes that the next packet uses.
///
/// The sound of a packet may begin in up to 511 bytes of the packets before it, its reservoir. In a
/// part of a file these bytes are stored in a packet before the first one.
///
/// Source: ISO/IEC 11172-3, 2.4.1.7 and 2.4.2.7 (side information, main_data_begin), 2.4.3.4 (a
/// packet without bits is silent).
struct ReservoirPacket {
  /// The bytes of the packet.
  let bytes: [UInt8]

  /// Creates the packet before packet `number` of a file; nil if that packet does not need it.
  init?(before number: Int, of reader: PacketReader) {
    guard let packet = reader.packet(number), let header = MPEGAudioHeader(packet[...]) else {
      return nil
    }
    let count = Self.lookback(packet, header)
    guard count > 0,
      let head = MPEGAudioHeader.bytes(like: packet, roomFor: count),
      let size = MPEGAudioHeader(head[...])?.packetByteCount
    else { return nil }
    let kept = Self.sound(before: number, of: reader, count)
    bytes = head + Array(repeating: 0, count: size - head.count - kept.count) + kept
  }

  /// True if two packets use the same bytes of earlier packets, or neither uses any.
  static func isAlike(
    _ number: Int, of reader: PacketReader, _ other: Int, of next: PacketReader
  ) -> Bool {
    guard reader.core?.codec == .mp3, let packet = reader.packet(number),
      let header = MPEGAudioHeader(packet[...])
    else { return true }
    let count = lookback(packet, header)
    return sound(before: number, of: reader, count) == sound(before: other, of: next, count)
  }

  /// The number of bytes of earlier packets that a packet uses.
  private static func lookback(_ packet: [UInt8], _ header: MPEGAudioHeader) -> Int {
    var bits = BitReader(packet.dropFirst(MPEGAudioHeader.byteCount + (header.hasSum ? 2 : 0)))
    return bits.read(header.version == 1 ? 9 : 8) ?? 0
  }

  /// The last bytes of sound before a packet, at most `count`.
  private static func sound(
    before number: Int, of reader: PacketReader, _ count: Int
  ) -> [UInt8] {
    var (kept, place) = ([UInt8](), number)
    while kept.count < count, place > 0 {
      place -= 1
      guard let packet = reader.packet(place), let header = MPEGAudioHeader(packet[...]) else {
        break
      }
      kept = packet.dropFirst(header.tagOffset + (header.hasSum ? 2 : 0)) + kept
    }
    return kept.suffix(count)
  }
}
