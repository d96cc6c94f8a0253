// SPDX-License-Identifier: Apache-2.0

extension AudioSpecificConfig {
  /// True if only the packets show if they hold replicated bands, or a channel that is spread.
  var needsPackets: Bool {
    guard objectType < 17 else { return false }
    switch bandReplication {
    case .unsaid: return true
    case .present: return channelCount == 1 && parametricStereo == .unsaid
    case .absent: return false
    }
  }

  /// The number of packets that are tried, since the first ones may be damaged.
  static let probed = 8

  /// The ways in which packets can be decoded, the richest first, with implicit extensions.
  ///
  /// A decoder finds these in the first packet that it can decode, and ignores them if they begin
  /// later.
  ///
  /// - Parameters:
  ///   - cookie: the bytes of this configuration.
  ///   - packet: the first packet, without a header.
  /// - Returns: the layers; nil if the packet cannot be decoded, or FFmpeg is missing.
  func layers(cookie: [UInt8], firstPacket packet: [UInt8]) -> [SoundLayer]? {
    guard needsPackets else { return layers }
    do throws(SoundFileError) {
      let decoding = try PacketDecoding(
        .aac, cookie: cookie, hertz: hertz, channelCount: max(1, channelCount), path: "packets")
      guard decoding.send(packet), let shape = decoding.receive(Float.self)?.shape else {
        return nil
      }
      return layers(found: shape.hertz, channelCount: shape.channelCount)
    } catch {
      return nil
    }
  }
}
