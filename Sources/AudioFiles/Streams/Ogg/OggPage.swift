// SPDX-License-Identifier: Apache-2.0

/// A page of an Ogg stream with a correct checksum.
///
/// Source: RFC 3533, section 6.
struct OggPage {
  /// The result of a search at one position.
  enum Search {
    /// A page possibly starts here, but more bytes are needed.
    case incomplete
    /// No page starts here.
    case nothing
    /// A complete page.
    case page(OggPage)
  }

  /// The part of a packet in this page.
  struct Part {
    let bytes: ArraySlice<UInt8>
    /// True if the packet starts in this page.
    let isBeginning: Bool
    /// True if the packet ends in this page.
    let isEnd: Bool
  }

  /// The maximum size of a page: 255 segments of 255 bytes, and their header.
  static let largest = 27 + 255 + 255 * 255

  let byteCount: Int
  /// True if the first packet starts in an earlier page.
  let isContinued: Bool
  /// True if this is the first page of its logical stream.
  let isFirst: Bool
  /// True if this is the last page of its logical stream.
  let isLast: Bool
  /// The granule position at the end of the last packet that ends here, 0 or more; nil if none
  /// does.
  let granule: Int64?
  let serial: UInt32
  /// The number of the page in its logical stream.
  let number: UInt32
  private let lacing: ArraySlice<UInt8>
  private let body: ArraySlice<UInt8>

  private static let mark = Array("OggS".utf8)
  private static let headerByteCount = 27

  /// Reads a page at the first byte.
  ///
  /// - Complexity: O(n) in the number of bytes of the page.
  static func search(at bytes: ArraySlice<UInt8>) -> Search {
    guard bytes.prefix(4).elementsEqual(mark.prefix(bytes.count)) else { return .nothing }
    guard bytes.count >= headerByteCount else { return .incomplete }
    let start = bytes.startIndex
    // Other versions have another structure.
    guard bytes[start + 4] == 0 else { return .nothing }
    let bodyStart = start + headerByteCount + Int(bytes[start + 26])
    guard bytes.endIndex >= bodyStart else { return .incomplete }
    let lacing = bytes[start + headerByteCount..<bodyStart]
    let end = lacing.reduce(bodyStart) { $0 + Int($1) }
    guard bytes.endIndex >= end else { return .incomplete }
    let page = OggPage(bytes[start..<end], lacing: lacing, body: bytes[bodyStart..<end])
    return page.map { .page($0) } ?? .nothing
  }

  private init?(
    _ bytes: ArraySlice<UInt8>, lacing: ArraySlice<UInt8>, body: ArraySlice<UInt8>
  ) {
    guard UInt32(truncatingIfNeeded: bytes.little(22, 4)) == OggChecksum.ofPage(bytes) else {
      return nil
    }
    let flags = bytes[bytes.startIndex + 5]
    (isContinued, isFirst, isLast) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    let position = Int64(bitPattern: bytes.little(6, 8))
    granule = (0...PacketLedger.mostFrames).contains(position) ? position : nil
    serial = UInt32(truncatingIfNeeded: bytes.little(14, 4))
    number = UInt32(truncatingIfNeeded: bytes.little(18, 4))
    (byteCount, self.lacing, self.body) = (bytes.count, lacing, body)
  }

  /// The parts of packets in this page, in order.
  var parts: [Part] {
    var parts: [Part] = []
    var (place, start) = (body.startIndex, body.startIndex)
    for size in lacing {
      place += Int(size)
      guard size < 255 else { continue }
      parts.append(part(start..<place, isFirst: parts.isEmpty, isEnd: true))
      start = place
    }
    if lacing.last == 255 {
      parts.append(part(start..<place, isFirst: parts.isEmpty, isEnd: false))
    }
    return parts
  }

  private func part(_ range: Range<Int>, isFirst: Bool, isEnd: Bool) -> Part {
    Part(bytes: body[range], isBeginning: !(isFirst && isContinued), isEnd: isEnd)
  }
}

extension ArraySlice<UInt8> {
  /// A little-endian number of up to 8 bytes, at a position relative to the start of the slice.
  ///
  /// - Precondition: The bytes are in the slice.
  func little(_ place: Int, _ count: Int) -> UInt64 {
    self[startIndex + place..<startIndex + place + count].reversed()
      .reduce(0) { $0 << 8 | UInt64($1) }
  }
}
