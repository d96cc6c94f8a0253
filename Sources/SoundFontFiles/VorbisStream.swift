// SPDX-License-Identifier: Apache-2.0

/// A compressed sample, judged page by page without being decoded.
///
/// Every page carries a checksum of itself, so a damaged one cannot pass for a good one.
///
/// Source: RFC 3533 (Ogg), section 6; Vorbis I specification, section 4.2.
package struct VorbisStream {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Why it cannot be decoded, or nil; its frames must reach the end of its loop.
  func fault(loopEnd: Int) -> String? {
    var place = 0
    var frames = 0
    var pages = 0
    while place < bytes.count {
      guard let length = pageLength(at: place), place + length <= bytes.count else {
        return "its Ogg page at byte \(place) is damaged"
      }
      guard checksum(place..<place + length) == long(place + 22) else {
        return "its Ogg page at byte \(place) has a wrong checksum"
      }
      if pages == 0, let fault = headerFault(of: place) { return fault }
      let (position, upper) = (long(place + 6), long(place + 10))
      if position != 0xFFFF_FFFF || upper != 0xFFFF_FFFF { frames = position | upper << 32 }
      pages += 1
      place += length
    }
    if frames < 0 || frames > Self.mostFrames(inBytes: bytes.count) {
      return "its last Ogg page claims more frames than \(bytes.count) bytes can hold"
    }
    if frames < loopEnd {
      return "its loop ends at frame \(loopEnd), after its last frame \(frames)"
    }
    return pages > 1 ? nil : "it contains no sound"
  }

  /// The most frames that a stream can hold: a packet takes a byte and its length another, and makes at
  /// most 8192 frames, half of which overlap the next.
  ///
  /// Source: Vorbis I specification, section 4.3.8.
  package static func mostFrames(inBytes count: Int) -> Int { 4096 * count }

  private func pageLength(at place: Int) -> Int? {
    guard place + 27 <= bytes.count, bytes[place..<place + 4].elementsEqual("OggS".utf8) else {
      return nil
    }
    let segments = Int(bytes[place + 26])
    guard place + 27 + segments <= bytes.count else { return nil }
    let body = bytes[place + 27..<place + 27 + segments].reduce(0) { $0 + Int($1) }
    return 27 + segments + body
  }

  /// The first packet says that this is Vorbis, of one channel.
  private func headerFault(of place: Int) -> String? {
    let start = place + 27 + Int(bytes[place + 26])
    guard start + 30 <= bytes.count, bytes[start] == 1,
      bytes[start + 1..<start + 7].elementsEqual("vorbis".utf8)
    else { return "it is not Vorbis" }
    return bytes[start + 11] == 1 ? nil : "it has \(bytes[start + 11]) channels"
  }

  private func long(_ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// The page's CRC, its own field taken as zero.
  private func checksum(_ page: Range<Int>) -> Int {
    var sum: UInt32 = 0
    for place in page {
      let byte = (22..<26).contains(place - page.lowerBound) ? 0 : bytes[place]
      sum = sum << 8 ^ Self.table[Int(sum >> 24) ^ Int(byte)]
    }
    return Int(sum)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in
      sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
    }
  }
}
