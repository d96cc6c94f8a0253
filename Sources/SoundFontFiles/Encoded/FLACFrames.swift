// SPDX-License-Identifier: Apache-2.0

/// Checks the frames of a native FLAC stream without decoding them.
///
/// A FLAC frame ends at the byte at which its checksum is correct and the next frame starts.
///
/// Source: RFC 9639, sections 8 and 9.
struct FLACFrames {
  /// The intact part of a stream.
  struct Survey {
    /// The number of samples in the intact frames.
    var count = 0
    /// The position of the first damaged block or frame; nil if all are intact.
    var damage: Int?
  }

  private let bytes: [UInt8]

  /// Creates a value from a stream that starts with "fLaC".
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Checks all frames.
  ///
  /// - Complexity: O(n) in the bytes.
  var survey: Survey {
    var survey = Survey()
    guard var place = start else { return Survey(damage: 4) }
    while place < bytes.count {
      guard let header = header(at: place), let end = end(ofFrameAt: place, header) else {
        survey.damage = place
        return survey
      }
      survey.count += header.count
      place = end
    }
    return survey
  }

  /// The end of the metadata.
  private var start: Int? {
    var place = 4
    while place + 4 <= bytes.count {
      let length = bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let isLast = bytes[place] & 0x80 != 0
      place += 4 + length
      if isLast { return place <= bytes.count ? place : nil }
    }
    return nil
  }

  /// The size of a frame's header in bytes, and the number of samples.
  private struct Header {
    let length: Int
    let count: Int
  }

  /// The header of a mono frame.
  private func header(at place: Int) -> Header? {
    guard place + 6 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8,
      bytes[place + 3] >> 4 == 0, bytes[place + 3] & 1 == 0
    else { return nil }
    // The ones at the start of the coded number are its number of bytes; a number below 128 has one
    // byte.
    let ones = (~bytes[place + 4]).leadingZeroBitCount
    guard ones != 1, ones <= 7 else { return nil }
    var end = place + 4 + max(1, ones)
    let sizeCode = Int(bytes[place + 2] >> 4)
    let sizeBytes = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0
    let rateCode = bytes[place + 2] & 0x0F
    let rateBytes = rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
    let sizePlace = end
    end += sizeBytes + rateBytes
    guard end < bytes.count, rateCode != 15, bytes[end] == checksum(place..<end) else { return nil }
    let stated = bytes[sizePlace..<sizePlace + sizeBytes].reduce(0) { $0 << 8 | Int($1) }
    guard let count = Self.sampleCount(sizeCode, stated: stated) else { return nil }
    return Header(length: end + 1 - place, count: count)
  }

  private static func sampleCount(_ code: Int, stated: Int) -> Int? {
    switch code {
    case 0: nil
    case 1: 192
    case 2...5: 144 << code
    case 6, 7: stated + 1
    default: 256 << (code - 8)
    }
  }

  private func end(ofFrameAt place: Int, _ header: Header) -> Int? {
    var sum: UInt16 = 0
    for index in place..<bytes.count {
      sum = sum << 8 ^ Self.table[Int(sum >> 8) ^ Int(bytes[index])]
      let end = index + 1
      // A frame contains a subframe of at least one byte, and its checksum.
      guard sum == 0, end >= place + header.length + 3 else { continue }
      if end == bytes.count || self.header(at: end) != nil { return end }
    }
    return nil
  }

  /// The CRC-8 of a header.
  private func checksum(_ range: Range<Int>) -> UInt8 {
    bytes[range].reduce(UInt8(0)) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in
      sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1
    }
  }
}
