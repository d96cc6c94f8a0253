// SPDX-License-Identifier: Apache-2.0

/// The ADTS header before each packet of AAC in a stream without a container.
///
/// Source: ISO/IEC 13818-7, 6.2 (adts_frame).
struct ADTSHeader: Hashable {
  static let byteCount = 7
  let objectType: Int
  let rateIndex: Int
  let channelConfiguration: Int
  /// The number of bytes of the header: 7, or 9 with a checksum.
  let headerByteCount: Int
  /// The number of bytes of the packet, including its header.
  let packetByteCount: Int
  /// The number of blocks of 1024 frames in the packet.
  let blockCount: Int

  /// Reads a header; nil for other bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    var bits = BitReader(bytes.prefix(Self.byteCount))
    guard bits.read(12) == 0xFFF, bits.skip(1) != nil, bits.read(2) == 0,
      let hasNoSum = bits.flag(), let profile = bits.read(2), let rate = bits.read(4),
      AudioSpecificConfig.rates.indices.contains(rate), bits.skip(1) != nil,
      let channels = bits.read(3), bits.skip(4) != nil, let count = bits.read(13),
      bits.skip(11) != nil, let blocks = bits.read(2)
    else { return nil }
    (objectType, rateIndex, channelConfiguration) = (profile + 1, rate, channels)
    headerByteCount = hasNoSum ? 7 : 9
    (packetByteCount, blockCount) = (count, blocks + 1)
    guard packetByteCount > headerByteCount else { return nil }
  }

  var hertz: Int { AudioSpecificConfig.rates[rateIndex] }
  var channelCount: Int { channelConfiguration == 7 ? 8 : channelConfiguration }
  var frameCount: Int { 1024 * blockCount }

  /// Returns true if a header can follow another one in the same stream.
  func continues(_ other: ADTSHeader) -> Bool {
    objectType == other.objectType && rateIndex == other.rateIndex
      && channelConfiguration == other.channelConfiguration
  }

  /// The header of a packet of `byteCount` bytes; nil if ADTS cannot state the configuration.
  static func bytes(before byteCount: Int, _ config: AudioSpecificConfig) -> [UInt8]? {
    guard let rate = AudioSpecificConfig.rates.firstIndex(of: config.hertz),
      (1...4).contains(config.objectType),
      let channels = AudioSpecificConfig.configurations[config.channelCount],
      byteCount + Self.byteCount < 1 << 13
    else { return nil }
    var bits = BitWriter()
    bits.write(0xFFF1, 16)
    bits.write(config.objectType - 1, 2)
    bits.write(rate, 4)
    bits.write(0, 1)
    bits.write(channels, 3)
    bits.write(0, 4)
    bits.write(byteCount + Self.byteCount, 13)
    // The fullness of the decoder's buffer is not stated.
    bits.write(0x7FF, 11)
    bits.write(0, 2)
    return bits.bytes
  }

  /// The same configuration as an AudioSpecificConfig, without extensions.
  var configuration: [UInt8] {
    var bits = BitWriter()
    bits.write(objectType, 5)
    bits.write(rateIndex, 4)
    bits.write(channelConfiguration, 4)
    bits.write(0, 3)
    return bits.bytes
  }
}
