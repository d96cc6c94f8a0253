// SPDX-License-Identifier: Apache-2.0

/// What stands before each packet of AAC in a stream without a container.
///
/// Source: ISO/IEC 13818-7, 6.2 (adts_frame).
struct ADTSHeader: Hashable {
  static let byteCount = 7
  let objectType: Int
  let rateIndex: Int
  let channelConfiguration: Int
  /// The bytes of the header: 7, or 9 with a sum.
  let headerByteCount: Int
  /// The bytes of the packet with its header.
  let packetByteCount: Int
  /// The blocks of 1024 frames in it.
  let blockCount: Int

  /// Reads a header; nil where there is none.
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

  /// Whether another header can belong to the same stream.
  func continues(_ other: ADTSHeader) -> Bool {
    objectType == other.objectType && rateIndex == other.rateIndex
      && channelConfiguration == other.channelConfiguration
  }

  /// The same as a container would say it; it cannot speak of extensions.
  var configuration: [UInt8] {
    var bits = BitWriter()
    bits.write(objectType, 5)
    bits.write(rateIndex, 4)
    bits.write(channelConfiguration, 4)
    bits.write(0, 3)
    return bits.bytes
  }
}
