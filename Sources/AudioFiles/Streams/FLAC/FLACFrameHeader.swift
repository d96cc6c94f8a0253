// SPDX-License-Identifier: Apache-2.0

/// The header of a FLAC frame.
///
/// Source: RFC 9639, section 9.1.
struct FLACFrameHeader: Hashable {
  /// The maximum size of a header in bytes.
  static let largest = 16

  /// True if frames are numbered by their first sample, because their sizes differ.
  let isVariable: Bool
  /// The number of the frame, or of its first sample.
  let number: Int64
  /// The number of sound frames.
  let blockSize: Int
  /// Frames per second; nil if STREAMINFO states them.
  let hertz: Int?
  let channelCount: Int
  /// The bits of a sample; nil if STREAMINFO states them.
  let bits: Int?
  let byteCount: Int

  /// Reads a header; nil if the bytes are not one, or its checksum is wrong.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 6 else { return nil }
    let head = Array(bytes.prefix(Self.largest))
    guard head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[3] & 1 == 0 else { return nil }
    isVariable = head[1] & 1 == 1
    var reader = Reader(bytes: head)
    guard let number = reader.codedNumber(), let block = reader.blockSize(Int(head[2] >> 4)),
      let rate = reader.hertz(Int(head[2] & 15)), let channels = Self.channels(Int(head[3] >> 4)),
      let bits = Self.sampleBits[Int(head[3] >> 1 & 7)], reader.place < head.count,
      FLACChecksum.crc8(head[...reader.place]) == 0
    else { return nil }
    (self.number, blockSize, channelCount) = (number, block, channels)
    hertz = rate == 0 ? nil : rate
    self.bits = bits == 0 ? nil : bits
    byteCount = reader.place + 1
  }

  /// True if the frame can belong to a stream.
  func belongs(to stream: FLACStreamBlock) -> Bool {
    channelCount == stream.channelCount && (hertz ?? stream.hertz) == stream.hertz
      && (bits ?? stream.bits) == stream.bits && blockSize <= stream.largestBlock
  }

  private static let sampleBits: [Int?] = [0, 8, 12, nil, 16, 20, 24, 32]

  private static func channels(_ code: Int) -> Int? {
    switch code {
    case 0..<8: code + 1
    case 8..<11: 2
    default: nil
    }
  }
}

extension FLACFrameHeader {
  private struct Reader {
    let bytes: [UInt8]
    var place = 4

    mutating func next(_ count: Int) -> Int? {
      guard let number = bytes[...].number(place, count) else { return nil }
      place += count
      return number
    }

    /// Reads a number of up to 36 bits that is encoded like a character in UTF-8.
    mutating func codedNumber() -> Int64? {
      guard let first = next(1) else { return nil }
      let ones = (~UInt8(truncatingIfNeeded: first)).leadingZeroBitCount
      if ones == 0 { return Int64(first) }
      guard (2...7).contains(ones) else { return nil }
      var value = Int64(first & (0x7F >> ones))
      for _ in 1..<ones {
        guard let byte = next(1), byte & 0xC0 == 0x80 else { return nil }
        value = value << 6 | Int64(byte & 0x3F)
      }
      return value
    }

    mutating func blockSize(_ code: Int) -> Int? {
      switch code {
      case 0: nil
      case 1: 192
      case 2...5: 144 << code
      case 6: next(1).map { $0 + 1 }
      case 7: next(2).map { $0 + 1 }
      default: 1 << code
      }
    }

    /// Frames per second; 0 if STREAMINFO states them.
    mutating func hertz(_ code: Int) -> Int? {
      switch code {
      case 0..<12: Self.rates[code]
      case 12: next(1).map { $0 * 1000 }
      case 13: next(2)
      case 14: next(2).map { $0 * 10 }
      default: nil
      }
    }

    private static let rates = [
      0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
  }
}
