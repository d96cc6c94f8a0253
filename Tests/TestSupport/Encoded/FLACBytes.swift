// SPDX-License-Identifier: Apache-2.0

/// FLAC streams of one channel and 16 bits, built for tests.
///
/// Source: RFC 9639, sections 8 to 10.
public enum FLACBytes {
  /// The samples of a FLAC frame.
  public enum Block {
    /// As many equal samples, up to 65,535, in 12 bytes or a few more.
    case equal(Int16, count: Int)
    /// Samples as they are, up to 65,535.
    case verbatim([Int16])

    /// The number of samples.
    public var count: Int {
      switch self {
      case .equal(_, let count): count
      case .verbatim(let samples): samples.count
      }
    }
  }

  /// A native stream.
  ///
  /// - Parameters:
  ///   - blocks: the samples of each frame.
  ///   - rate: samples a second.
  ///   - channels: the number of channels that the head claims.
  ///   - claim: the number of samples that the head claims; nil for the right one.
  /// - Returns: the stream's bytes.
  public static func native(
    _ blocks: [Block], rate: Int = 44_100, channels: Int = 1, claim: Int? = nil
  ) -> [UInt8] {
    Array("fLaC".utf8) + head(blocks, rate: rate, channels: channels, claim: claim, isLast: true)
      + frames(blocks).joined()
  }

  /// The same in Ogg, a frame on each page.
  ///
  /// - Parameters:
  ///   - blocks: the samples of each frame.
  ///   - rate: samples a second.
  ///   - claim: the number of samples that the head claims, 0 for unknown; nil for the right one.
  /// - Returns: the stream's bytes.
  public static func ogg(_ blocks: [Block], rate: Int = 44_100, claim: Int? = nil) -> [UInt8] {
    let first: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
    let comment: [UInt8] = [0x84, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    var positions: [UInt64] = [0, 0]
    var count = 0
    for block in blocks {
      count += block.count
      positions.append(UInt64(count))
    }
    let head = head(blocks, rate: rate, channels: 1, claim: claim, isLast: false)
    return OggBytes.stream([first + head, comment] + frames(blocks), positions: positions)
  }

  private static func head(
    _ blocks: [Block], rate: Int, channels: Int, claim: Int?, isLast: Bool
  ) -> [UInt8] {
    let counts = blocks.map(\.count)
    let count = claim ?? counts.reduce(0, +)
    let fields =
      UInt64(rate) << 44 | UInt64(channels - 1) << 41 | 15 << 36 | UInt64(count) & 0xF_FFFF_FFFF
    return [isLast ? 0x80 : 0, 0, 0, 34] + big(max(16, counts.dropLast().min() ?? 16), 2)
      + big(max(16, counts.max() ?? 16), 2) + [UInt8](repeating: 0, count: 6)
      + (0..<8).map { UInt8(truncatingIfNeeded: fields >> UInt64(56 - 8 * $0)) }
      + [UInt8](repeating: 0, count: 16)
  }

  private static func frames(_ blocks: [Block]) -> [[UInt8]] {
    var start = 0
    return blocks.map { block in
      defer { start += block.count }
      return frame(block, at: start)
    }
  }

  private static func frame(_ block: Block, at start: Int) -> [UInt8] {
    // Blocks of any size, the rate of the head, one channel, 16 bits.
    var bytes: [UInt8] = [0xFF, 0xF9, 0x70, 0x08] + number(start) + big(block.count - 1, 2)
    bytes.append(UInt8(checksum(bytes, width: 8, 0x07)))
    switch block {
    case .equal(let value, _): bytes += [0] + big(Int(value), 2)
    case .verbatim(let samples): bytes += [2] + samples.flatMap { big(Int($0), 2) }
    }
    return bytes + big(checksum(bytes, width: 16, 0x8005), 2)
  }

  /// A number in the code of UTF-8, extended to 36 bits.
  private static func number(_ value: Int) -> [UInt8] {
    guard value >= 0x80 else { return [UInt8(value)] }
    var count = 2
    while count < 7, value >= 1 << (5 * count + 1) { count += 1 }
    let lead = UInt8(truncatingIfNeeded: 0xFF00 >> count)
    let rest = (0..<count - 1).reversed().map { UInt8(0x80 | value >> (6 * $0) & 0x3F) }
    return [lead | UInt8(value >> (6 * (count - 1)))] + rest
  }

  private static func checksum(_ bytes: [UInt8], width: Int, _ polynomial: Int) -> Int {
    let top = 1 << (width - 1)
    return bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { sum, _ in
        (sum & top != 0 ? sum << 1 ^ polynomial : sum << 1) & (2 * top - 1)
      }
    }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
