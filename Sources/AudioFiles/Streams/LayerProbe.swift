// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The layers of AAC that only packets show, which are determined when they are first needed.
///
/// The packets are decoded, which loads FFmpeg. Copying packets does not need the layers.
final class LayerProbe: Sendable {
  private struct Found {
    var layers: [SoundLayer]?
    var isComplete = false
  }

  /// The largest packet that is stored, in bytes.
  ///
  /// A packet of AAC has up to 768 bytes per channel.
  static let packetLimit = 1 << 16

  private let stated: [SoundLayer]
  private let cookie: [UInt8]
  private let packets: [[UInt8]]
  private let found = Mutex(Found())

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - stated: The layers that the headers state.
  ///   - cookie: The configuration of the decoder.
  ///   - packets: The first packets, of which the first decodable one is used.
  init(stated: [SoundLayer], cookie: [UInt8], packets: [[UInt8]]) {
    (self.stated, self.cookie, self.packets) = (stated, cookie, packets)
  }

  /// True when the packets have been decoded.
  var isComplete: Bool { found.withLock(\.isComplete) }

  /// The layers, best first; those of the headers if no packet can be decoded.
  var layers: [SoundLayer] {
    found.withLock { found in
      if !found.isComplete { found = Found(layers: search(), isComplete: true) }
      return found.layers ?? stated
    }
  }

  private func search() -> [SoundLayer]? {
    guard let config = AudioSpecificConfig(cookie) else { return nil }
    for packet in packets {
      if let layers = config.layers(cookie: cookie, firstPacket: packet) { return layers }
    }
    return nil
  }

  /// A probe with one more packet, or this one if the packet is too large or the layers are known.
  func with(_ packet: [UInt8]) -> LayerProbe {
    if packet.count > Self.packetLimit || found.withLock({ $0.layers != nil }) { return self }
    return LayerProbe(stated: stated, cookie: cookie, packets: packets + [packet])
  }
}
