// SPDX-License-Identifier: Apache-2.0

/// The checksums of FLAC: CRC-8 of a frame's header, and CRC-16 of a frame.
///
/// Source: RFC 9639, sections 9.1.8 and 9.3.
enum FLACChecksum {
  /// The CRC-16 of each byte value in the upper byte of an empty checksum.
  static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { sum, _ in
      sum & 0x8000 == 0 ? sum << 1 : (sum << 1) ^ 0x8005
    }
  }

  /// The CRC-16 of bytes; 0 for a frame that includes its checksum.
  static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
    let table = table
    return bytes.reduce(0) { add($1, to: $0, table) }
  }

  /// The CRC-16 after one more byte.
  @inline(__always)
  static func add(_ byte: UInt8, to sum: UInt16, _ table: [UInt16]) -> UInt16 {
    (sum << 8) ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)]
  }

  /// The CRC-8 of bytes; 0 for a header that includes its checksum.
  static func crc8(_ bytes: some Sequence<UInt8>) -> UInt8 {
    bytes.reduce(UInt8(0)) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : (sum << 1) ^ 0x07 }
    }
  }
}
