// SPDX-License-Identifier: Apache-2.0

/// The checksum of Ogg pages: a CRC-32 without reflection and with an initial value of 0.
///
/// Source: RFC 3533, section 6.
enum OggChecksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in
      sum & 0x8000_0000 == 0 ? sum << 1 : (sum << 1) ^ 0x04C1_1DB7
    }
  }

  /// The checksum of a page, with 0 instead of the checksum in the page.
  ///
  /// - Precondition: The page has at least 27 bytes.
  static func ofPage(_ page: ArraySlice<UInt8>) -> UInt32 {
    let field = page.startIndex + 22
    var sum = add(page[..<field], to: 0)
    sum = add([0, 0, 0, 0], to: sum)
    return add(page[(field + 4)...], to: sum)
  }

  private static func add(_ bytes: ArraySlice<UInt8>, to sum: UInt32) -> UInt32 {
    let table = table
    return bytes.reduce(sum) { sum, byte in
      (sum << 8) ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
    }
  }
}
