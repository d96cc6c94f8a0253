// SPDX-License-Identifier: Apache-2.0

/// Mono FLAC with 16 bits, created by hand without prediction.
///
/// Source: RFC 9639, sections 8 to 10.
package struct FLACMaker {
  /// The samples of a frame.
  package enum Block {
    /// A number of equal samples, up to 65,535, in about 12 bytes.
    case equal(Int16, count: Int)
    /// Uncompressed samples, up to 65,535.
    case verbatim([Int16])

    /// The number of samples.
    package var count: Int {
      switch self {
      case .equal(_, let count): count
      case .verbatim(let samples): samples.count
      }
    }
  }

  /// True if frames are numbered by samples.
  package var isVariable = false
  /// The minimum and maximum number of samples of a frame in the description.
  package var blocks = (smallest: 4096, largest: 4096)
  /// The number of samples in the description; 0 if it is not stated.
  package var statedCount: UInt64 = 0
  package var hertz: UInt64 = 44_100
  /// The number of channels in the description; frames are mono.
  package var channels: UInt64 = 1

  package init() {}

  /// Creates the signature and the metadata, including the description.
  ///
  /// - Parameter others: The blocks after it, each a kind and a content.
  /// - Returns: The bytes.
  package func head(_ others: [(kind: UInt8, content: [UInt8])] = []) -> [UInt8] {
    var bytes = Array("fLaC".utf8)
    let all = [(kind: UInt8(0), content: description)] + others
    for (index, block) in all.enumerated() {
      let isLast: UInt8 = index == all.count - 1 ? 0x80 : 0
      bytes += [block.kind | isLast] + Self.big(UInt64(block.content.count), 3) + block.content
    }
    return bytes
  }

  /// The description of the stream.
  package var description: [UInt8] {
    let shape = hertz << 44 | (channels - 1) << 41 | 15 << 36 | statedCount & 0xF_FFFF_FFFF
    var bytes = Self.big(UInt64(blocks.smallest), 2) + Self.big(UInt64(blocks.largest), 2)
    bytes += Array(repeating: 0, count: 6) + Self.big(shape, 8)
    return bytes + Array(repeating: 0, count: 16)
  }

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - samples: The samples, 1…65,535.
  ///   - number: The number of the frame, or of its first sample.
  /// - Returns: The bytes.
  package func frame(_ samples: [Int16], number: UInt64) -> [UInt8] {
    frame(.verbatim(samples), number: number)
  }

  private func frame(_ block: Block, number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 0x70, 0x08] + Self.coded(number)
    bytes += Self.big(UInt64(block.count - 1), 2)
    bytes.append(UInt8(Self.checksum(bytes, 8, 0x07)))
    switch block {
    case .equal(let value, _): bytes += [0] + Self.big(UInt64(UInt16(bitPattern: value)), 2)
    case .verbatim(let samples):
      bytes += [2] + samples.flatMap { Self.big(UInt64(UInt16(bitPattern: $0)), 2) }
    }
    return bytes + Self.big(UInt64(Self.checksum(bytes, 16, 0x8005)), 2)
  }

  /// A stream of samples in frames of some sizes.
  package func stream(_ samples: [Int16], sizes: [Int]) -> [UInt8] {
    head() + frames(samples, sizes: sizes).flatMap { $0 }
  }

  /// Frames of some sizes, one after another.
  package func frames(_ samples: [Int16], sizes: [Int], from first: UInt64 = 0) -> [[UInt8]] {
    var place = 0
    return sizes.enumerated().map { index, size in
      let number = isVariable ? first + UInt64(place) : first + UInt64(index)
      defer { place += size }
      return frame(Array(samples[place..<place + size]), number: number)
    }
  }

  /// A number encoded like a character in UTF-8.
  package static func coded(_ number: UInt64) -> [UInt8] {
    if number < 0x80 { return [UInt8(number)] }
    var count = 2
    while count < 7, number >= 1 << UInt64(5 * count + 1) { count += 1 }
    let ones = ~UInt8(0) << UInt8(8 - count)
    return [ones | UInt8(truncatingIfNeeded: number >> UInt64(6 * (count - 1)))]
      + (1..<count).map { UInt8(0x80 | number >> UInt64(6 * (count - 1 - $0)) & 0x3F) }
  }

  /// A big-endian number.
  package static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
  }

  private static func checksum(_ bytes: [UInt8], _ bits: UInt32, _ polynomial: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    let top: UInt32 = 1 << (bits - 1)
    for byte in bytes {
      sum ^= UInt32(byte) << (bits - 8)
      for _ in 0..<8 { sum = sum & top != 0 ? sum << 1 ^ polynomial : sum << 1 }
    }
    return sum & (top << 1 &- 1)
  }
}

extension FLACMaker {
  /// Creates a native stream whose frames are numbered by samples.
  ///
  /// - Parameters:
  ///   - blocks: The samples of each frame.
  ///   - rate: Samples per second.
  ///   - channels: The number of channels in the description.
  ///   - claim: The number of samples in the description, 0 for none; nil for the correct number.
  /// - Returns: The bytes of the stream.
  package static func native(
    _ blocks: [Block], rate: Int = 44_100, channels: Int = 1, claim: Int? = nil
  ) -> [UInt8] {
    let maker = maker(blocks, rate: rate, channels: channels, claim: claim)
    return maker.head() + maker.numbered(blocks).joined()
  }

  /// The same in Ogg, with one frame per page.
  package static func ogg(_ blocks: [Block], rate: Int = 44_100, claim: Int? = nil) -> [UInt8] {
    let maker = maker(blocks, rate: rate, channels: 1, claim: claim)
    let first: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
    let comment: [UInt8] = [0x84, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    var positions: [UInt64] = [0, 0]
    for block in blocks { positions.append((positions.last ?? 0) + UInt64(block.count)) }
    return OggPages.stream(
      [first + [0, 0, 0, 34] + maker.description, comment] + maker.numbered(blocks),
      positions: positions)
  }

  private static func maker(
    _ blocks: [Block], rate: Int, channels: Int, claim: Int?
  ) -> FLACMaker {
    let counts = blocks.map(\.count)
    var maker = FLACMaker()
    maker.isVariable = true
    maker.blocks = (max(16, counts.dropLast().min() ?? 16), max(16, counts.max() ?? 16))
    maker.statedCount = UInt64(truncatingIfNeeded: claim ?? counts.reduce(0, +))
    (maker.hertz, maker.channels) = (UInt64(rate), UInt64(channels))
    return maker
  }

  private func numbered(_ blocks: [Block]) -> [[UInt8]] {
    var start: UInt64 = 0
    return blocks.map { block in
      defer { start += UInt64(block.count) }
      return frame(block, number: start)
    }
  }
}
