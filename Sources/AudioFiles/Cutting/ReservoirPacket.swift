// SPDX-License-Identifier: Apache-2.0

/// A silent packet of MPEG layer III that holds, where nobody hears them, the bytes in which the
/// packet behind it begins.
///
/// A packet's sound may begin in up to 511 bytes of the packets before it, its reservoir. A part of a
/// file brings these along in a packet of their own.
///
/// Source: ISO/IEC 11172-3, 2.4.1.7 and 2.4.2.7 (side information, main_data_begin), 2.4.3.4 (a
/// packet without bits is silent).
struct ReservoirPacket {
  /// Its bytes.
  let bytes: [UInt8]

  /// Makes the packet that goes before one of a file; nil where that needs none.
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

  /// Whether a packet of a file begins in the same bytes as one of another that is alike; true for
  /// packets that begin in themselves.
  static func isAlike(
    _ number: Int, of reader: PacketReader, _ other: Int, of next: PacketReader
  ) -> Bool {
    guard reader.core?.codec == .mp3, let packet = reader.packet(number),
      let header = MPEGAudioHeader(packet[...])
    else { return true }
    let count = lookback(packet, header)
    return sound(before: number, of: reader, count) == sound(before: other, of: next, count)
  }

  /// How many bytes of those before it a packet begins in.
  private static func lookback(_ packet: [UInt8], _ header: MPEGAudioHeader) -> Int {
    var bits = BitReader(packet.dropFirst(MPEGAudioHeader.byteCount + (header.hasSum ? 2 : 0)))
    return bits.read(header.version == 1 ? 9 : 8) ?? 0
  }

  /// The last bytes of sound before a packet, at most so many.
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
