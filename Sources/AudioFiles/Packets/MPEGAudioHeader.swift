// SPDX-License-Identifier: Apache-2.0

/// The header of a packet of MPEG-1 or MPEG-2 audio.
///
/// Source: ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3, 2.4.2; rates below 16 kHz by convention
/// ("MPEG 2.5").
struct MPEGAudioHeader: Hashable {
  static let byteCount = 4
  /// The version: 1, 2, or 3 for 2.5.
  let version: Int
  /// The layer, 1…3.
  let layer: Int
  let hasSum: Bool
  /// Bits per second.
  let bitrate: Int
  let hertz: Int
  let channelCount: Int
  private let isPadded: Bool

  private static let rates = [44_100, 48_000, 32_000]
  /// In units of 1000 bits per second: 14 bitrates for each layer of version 1, then of the other
  /// versions.
  private static let bitrates = [
    32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
    32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
  ]

  /// Reads a header; nil if it is invalid, or does not state the bitrate.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let start = bytes.startIndex
    let head =
      Int(bytes[start]) << 24 | Int(bytes[start + 1]) << 16 | Int(bytes[start + 2]) << 8
      | Int(bytes[start + 3])
    let (versionBits, layerBits) = (head >> 19 & 3, head >> 17 & 3)
    let (rateIndex, bitrateIndex) = (head >> 10 & 3, head >> 12 & 15)
    guard head >> 21 == 0x7FF, versionBits != 1, layerBits != 0, rateIndex < 3,
      (1...14).contains(bitrateIndex), head & 3 != 2
    else { return nil }
    version = versionBits == 0 ? 3 : 4 - versionBits
    layer = 4 - layerBits
    hasSum = head >> 16 & 1 == 0
    hertz = Self.rates[rateIndex] >> (version - 1)
    bitrate = Self.bitrates[14 * ((version == 1 ? 0 : 3) + layer - 1) + bitrateIndex - 1] * 1000
    isPadded = head >> 9 & 1 == 1
    channelCount = head >> 6 & 3 == 3 ? 1 : 2
  }

  /// A header of the same kind without a checksum, with the lowest bitrate at which a packet has
  /// `count` bytes after the side information; nil if no bitrate is sufficient.
  static func bytes(like packet: [UInt8], roomFor count: Int) -> [UInt8]? {
    guard packet.count >= byteCount else { return nil }
    for index in UInt8(1)...14 {
      let head = [packet[0], packet[1] | 1, index << 4 | packet[2] & 0x0C, packet[3]]
      guard let header = MPEGAudioHeader(head[...]) else { return nil }
      if header.packetByteCount >= header.tagOffset + count { return head }
    }
    return nil
  }

  /// The number of frames in the packet.
  var frameCount: Int {
    switch layer {
    case 1: 384
    case 2: 1152
    default: version == 1 ? 1152 : 576
    }
  }

  /// The number of bytes of the packet, including its header.
  var packetByteCount: Int {
    let slot = layer == 1 ? 4 : 1
    return (frameCount / 8 / slot * bitrate / hertz + (isPadded ? 1 : 0)) * slot
  }

  /// The position of an encoder's tag in the first packet of a file.
  var tagOffset: Int {
    let side = version == 1 ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
    return Self.byteCount + side
  }

  var codec: SoundCodec { [.mp1, .mp2, .mp3][layer - 1] }

  /// Returns true if another header can belong to the same stream.
  func continues(_ other: MPEGAudioHeader) -> Bool {
    version == other.version && layer == other.layer && hertz == other.hertz
  }
}
