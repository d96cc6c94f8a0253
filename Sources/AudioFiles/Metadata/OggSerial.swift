// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Sets the serial number of an Ogg stream to a fixed value.
///
/// libsndfile uses a random number, so two equal renders would differ. The number is in the header
/// of each page, and is part of its checksum.
///
/// Source: RFC 3533, section 6.
enum OggSerial {
  private static let number: UInt32 = 1
  private static let headerBytes = 27
  private static let largestPage = 27 + 255 + 255 * 255

  /// Rewrites every page; returns false if the pages are not contiguous.
  static func fix(in stream: FileStream) -> Bool {
    var page = [UInt8](repeating: 0, count: largestPage)
    var place: Int64 = 0
    let end = stream.length
    while place < end {
      guard let count = readPage(at: place, from: stream, into: &page) else { return false }
      stamp(&page, count: count)
      guard write(page, count: headerBytes, at: place, to: stream) else { return false }
      place += Int64(count)
    }
    return place == end
  }

  /// Rewrites every page of a stream in memory; returns false if the pages are not contiguous.
  static func fix(in bytes: inout [UInt8]) -> Bool {
    var place = 0
    while place + headerBytes <= bytes.count {
      let start = place + headerBytes + Int(bytes[place + 26])
      guard bytes[place..<place + 4] == [0x4F, 0x67, 0x67, 0x53], start <= bytes.count else {
        return false
      }
      let end = bytes[place + headerBytes..<start].reduce(start) { $0 + Int($1) }
      guard end <= bytes.count else { return false }
      var page = Array(bytes[place..<end])
      stamp(&page, count: page.count)
      bytes.replaceSubrange(place..<end, with: page)
      place = end
    }
    return place == bytes.count
  }

  private static func readPage(
    at place: Int64, from stream: FileStream, into page: inout [UInt8]
  ) -> Int? {
    guard stream.seek(place, SEEK_SET) == place,
      read(headerBytes, at: 0, from: stream, into: &page),
      page[0...3] == [0x4F, 0x67, 0x67, 0x53]
    else { return nil }
    let segments = Int(page[26])
    guard read(segments, at: headerBytes, from: stream, into: &page) else { return nil }
    let body = page[headerBytes..<headerBytes + segments].reduce(0) { $0 + Int($1) }
    guard read(body, at: headerBytes + segments, from: stream, into: &page) else { return nil }
    return headerBytes + segments + body
  }

  private static func read(
    _ count: Int, at offset: Int, from stream: FileStream, into page: inout [UInt8]
  ) -> Bool {
    unsafe page.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe stream.read(base + offset, count) == count
    }
  }

  private static func write(
    _ page: [UInt8], count: Int, at place: Int64, to stream: FileStream
  ) -> Bool {
    guard stream.seek(place, SEEK_SET) == place else { return false }
    return unsafe page.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe stream.write(base, count) == count
    }
  }

  /// A page with the number and its checksum.
  static func stamped(_ page: [UInt8]) -> [UInt8] {
    var page = page
    stamp(&page, count: page.count)
    return page
  }

  private static func stamp(_ page: inout [UInt8], count: Int) {
    store(number, at: 14, in: &page)
    store(OggChecksum.ofPage(page[..<count]), at: 22, in: &page)
  }

  private static func store(_ value: UInt32, at offset: Int, in page: inout [UInt8]) {
    for byte in 0..<4 { page[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }
}
