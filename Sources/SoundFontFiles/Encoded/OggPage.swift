// SPDX-License-Identifier: Apache-2.0

/// A page of an Ogg stream.
///
/// Source: RFC 3533, section 6.
struct OggPage {
  /// The maximum size of a page in bytes.
  static let longest = 27 + 255 + 255 * 255

  /// The range of the page.
  let range: Range<Int>
  /// The range of its packets.
  let body: Range<Int>
  /// The granule position at its end, or nil if no packet ends on the page.
  let position: UInt64?
  /// The serial number of the logical stream.
  let serial: UInt64

  /// Reads the page at a byte; nil if the page is damaged or not complete.
  init?(_ bytes: [UInt8], at place: Int) {
    guard place >= 0, place + 27 <= bytes.count,
      bytes[place..<place + 4].elementsEqual("OggS".utf8), bytes[place + 4] == 0
    else { return nil }
    let start = place + 27 + Int(bytes[place + 26])
    guard start <= bytes.count else { return nil }
    body = start..<bytes[place + 27..<start].reduce(start) { $0 + Int($1) }
    guard body.upperBound <= bytes.count else { return nil }
    range = place..<body.upperBound
    let position = Self.number(bytes, place + 6, 8)
    self.position = position == .max ? nil : position
    serial = Self.number(bytes, place + 14, 4)
  }

  /// The position at the end of the last complete page with one, or nil.
  ///
  /// - Complexity: O(n) in the bytes; usually those of one page.
  static func lastPosition(_ bytes: [UInt8]) -> UInt64? {
    var place = bytes.count - 27
    while place >= 0 {
      if bytes[place] == 0x4F, let page = OggPage(bytes, at: place), let position = page.position {
        return position
      }
      place -= 1
    }
    return nil
  }

  /// True if the checksum matches.
  func isIntact(_ bytes: [UInt8]) -> Bool {
    var sum: UInt32 = 0
    for place in range {
      let byte = (22..<26).contains(place - range.lowerBound) ? 0 : bytes[place]
      sum = sum << 8 ^ Self.table[Int(sum >> 24) ^ Int(byte)]
    }
    return UInt64(sum) == Self.number(bytes, range.lowerBound + 22, 4)
  }

  /// A little-endian number.
  static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in
      sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
    }
  }
}
