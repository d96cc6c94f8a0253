// SPDX-License-Identifier: Apache-2.0

/// Ogg streams, built or repaired for tests.
///
/// Source: RFC 3533, section 6.
public enum OggBytes {
  /// A stream with one packet on each page.
  ///
  /// - Parameters:
  ///   - packets: the packets, up to 65,024 bytes each.
  ///   - positions: the position at the end of each page; 0 for those that are not given.
  ///   - serial: the stream's number.
  /// - Returns: the stream's bytes.
  public static func stream(
    _ packets: [[UInt8]], positions: [UInt64], serial: UInt32 = 7
  ) -> [UInt8] {
    packets.indices.flatMap { index in
      let kind: UInt8 = index == 0 ? 2 : index == packets.count - 1 ? 4 : 0
      let position = index < positions.count ? positions[index] : 0
      return page(packets[index], kind: kind, position, serial, number: UInt32(index))
    }
  }

  private static func page(
    _ packet: [UInt8], kind: UInt8, _ position: UInt64, _ serial: UInt32, number: UInt32
  ) -> [UInt8] {
    let lengths = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    var bytes = Array("OggS".utf8) + [0, kind] + little(position, 8) + little(UInt64(serial), 4)
    bytes += little(UInt64(number), 4) + [0, 0, 0, 0, UInt8(lengths.count)] + lengths + packet
    seal(&bytes)
    return bytes
  }

  /// Gives each page the checksum of its bytes, up to the first damaged page.
  ///
  /// - Parameter bytes: the stream.
  public static func seal(_ bytes: inout [UInt8]) {
    var start = 0
    while start + 27 <= bytes.count {
      let segments = Int(bytes[start + 26])
      guard start + 27 + segments <= bytes.count else { return }
      let body = bytes[start + 27..<start + 27 + segments].reduce(0) { $0 + Int($1) }
      let end = start + 27 + segments + body
      guard end <= bytes.count else { return }
      bytes.replaceSubrange(start + 22..<start + 26, with: [0, 0, 0, 0])
      let sum = checksum(bytes[start..<end])
      for index in 0..<4 { bytes[start + 22 + index] = UInt8(sum >> (8 * index) & 0xFF) }
      start = end
    }
  }

  /// The first packet of an Opus stream.
  ///
  /// - Parameters:
  ///   - rate: the rate of the sound before it was encoded.
  ///   - skip: the frames of 48 kHz before the sound.
  ///   - channels: the number of channels.
  /// - Returns: the packet's bytes.
  public static func opusHead(rate: UInt32, skip: UInt16, channels: UInt8 = 1) -> [UInt8] {
    Array("OpusHead".utf8) + [1, channels] + little(UInt64(skip), 2) + little(UInt64(rate), 4)
      + [0, 0, 0]
  }

  /// The first packet of a Vorbis stream.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - channels: the number of channels.
  /// - Returns: the packet's bytes.
  public static func vorbisHead(rate: UInt32, channels: UInt8 = 1) -> [UInt8] {
    [1] + Array("vorbis".utf8) + [0, 0, 0, 0, channels] + little(UInt64(rate), 4)
      + [UInt8](repeating: 0, count: 12) + [0xB8, 1]
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    return sum
  }
}
