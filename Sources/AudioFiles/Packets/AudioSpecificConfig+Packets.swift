// SPDX-License-Identifier: Apache-2.0

extension AudioSpecificConfig {
  /// True if only the packets show whether they use spectral band replication or parametric stereo.
  var needsPackets: Bool {
    guard objectType < 17 else { return false }
    switch bandReplication {
    case .unsaid: return true
    case .present: return channelCount == 1 && parametricStereo == .unsaid
    case .absent: return false
    }
  }

  /// The number of packets to try, because the first ones can be damaged.
  static let probed = 8

  /// The layers of the packets, best first, including extensions that the configuration does not
  /// state.
  ///
  /// A decoder finds these extensions in the first packet that it can decode, and ignores those
  /// that begin later.
  ///
  /// - Parameters:
  ///   - cookie: The bytes of this configuration.
  ///   - packet: The first packet, without a header.
  /// - Returns: The layers; nil if the packet cannot be decoded, or FFmpeg is missing.
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
