// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The layers of AAC that only packets show, found when they are needed.
///
/// They are found by decoding, which loads FFmpeg. A stream whose packets are only cut does without.
final class LayerProbe: Sendable {
  private struct Found {
    var layers: [SoundLayer]?
    var isComplete = false
  }

  /// The largest packet that is kept, in bytes: a packet of AAC has up to 768 for each channel.
  static let packetLimit = 1 << 16

  private let stated: [SoundLayer]
  private let cookie: [UInt8]
  private let packets: [[UInt8]]
  private let found = Mutex(Found())

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - stated: the layers by the headers.
  ///   - cookie: the configuration of the decoder.
  ///   - packets: the first packets; the first of them that can be decoded is used.
  init(stated: [SoundLayer], cookie: [UInt8], packets: [[UInt8]]) {
    (self.stated, self.cookie, self.packets) = (stated, cookie, packets)
  }

  /// True once the packets were decoded.
  var isComplete: Bool { found.withLock(\.isComplete) }

  /// The layers, the richest first: those of the headers if no packet can be decoded.
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

  /// The same with one packet more, unless it is too large or the layers are known already.
  func with(_ packet: [UInt8]) -> LayerProbe {
    if packet.count > Self.packetLimit || found.withLock({ $0.layers != nil }) { return self }
    return LayerProbe(stated: stated, cookie: cookie, packets: packets + [packet])
  }
}
