// SPDX-License-Identifier: Apache-2.0

/// The header of a packet of AC-3 or E-AC-3 (a syncframe).
///
/// Source: ETSI TS 102 366 (ATSC A/52), 5.3.1, 5.4.1, 5.4.2 and annex E, 1.2.2.
struct AC3Header: Hashable {
  /// The number of bytes that are read.
  static let byteCount = 8

  let codec: SoundCodec
  /// The number of bytes of the syncframe.
  let packetByteCount: Int
  /// The number of frames of sound: 256 in each block.
  let frameCount: Int
  let hertz: Int
  let channelCount: Int
  /// False for a substream that adds channels to the previous one, and for another programme.
  let isMain: Bool

  private static let rates = [48_000, 44_100, 32_000]
  private static let bitrates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  private static let channelCounts = [2, 1, 2, 3, 3, 4, 4, 5]

  /// Reads a header; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
    var bits = BitReader(bytes[2..<Self.byteCount])
    let identifier = bytes[5] >> 3
    guard let header = identifier <= 10 ? Self(core: &bits) : Self(enhanced: &bits),
      identifier <= 16
    else { return nil }
    self = header
  }

  private init?(core bits: inout BitReader) {
    guard bits.skip(16) != nil, let rate = bits.read(2), rate < 3, let size = bits.read(6),
      size < 38, let identifier = bits.read(5), bits.skip(3) != nil, let mode = bits.read(3)
    else { return nil }
    // The levels of the centre and surround channels, or the flag of Dolby Surround.
    let centre = mode & 1 == 1 && mode != 1 ? 2 : 0
    let skipped = centre + (mode & 4 != 0 ? 2 : 0) + (mode == 2 ? 2 : 0)
    guard bits.skip(skipped) != nil, let hasLow = bits.flag() else { return nil }
    let kilobits = Self.bitrates[size / 2]
    codec = .ac3
    packetByteCount =
      switch rate {
      case 0: 4 * kilobits
      case 1: 2 * (kilobits * 96_000 / 44_100 + size % 2)
      default: 6 * kilobits
      }
    frameCount = 1536
    // The identifiers 9 and 10 mean half and a quarter of the rate.
    hertz = Self.rates[rate] >> max(0, identifier - 8)
    channelCount = Self.channelCounts[mode] + (hasLow ? 1 : 0)
    isMain = true
  }

  private init?(enhanced bits: inout BitReader) {
    guard let kind = bits.read(2), kind < 3, let substream = bits.read(3), let size = bits.read(11),
      let rate = bits.read(2), let blocks = bits.read(2), rate < 3 || blocks < 3,
      let mode = bits.read(3), let hasLow = bits.flag()
    else { return nil }
    codec = .enhancedAC3
    packetByteCount = 2 * (size + 1)
    // At reduced rates there are always six blocks.
    frameCount = 256 * (rate == 3 ? 6 : [1, 2, 3, 6][blocks])
    hertz = rate == 3 ? Self.rates[blocks] / 2 : Self.rates[rate]
    channelCount = Self.channelCounts[mode] + (hasLow ? 1 : 0)
    isMain = kind != 1 && substream == 0
  }
}
