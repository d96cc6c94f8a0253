// SPDX-License-Identifier: Apache-2.0

/// One of the ways in which the same packets can be decoded.
///
/// A stream of HE-AAC v2 has three: as what it is, without its second channel, and without the
/// upper half of its spectrum as well.
public struct SoundLayer: Hashable, Sendable {
  /// The codec that the packets are decoded as.
  public let codec: SoundCodec
  /// Frames a second of what is decoded.
  public let hertz: Int
  /// The samples in a frame of what is decoded.
  public let channelCount: Int
  /// Frames that a packet gives; 0 where that differs from packet to packet, or is not known.
  public let framesPerPacket: Int

  /// Creates a layer.
  public init(codec: SoundCodec, hertz: Int, channelCount: Int, framesPerPacket: Int) {
    self.codec = codec
    self.hertz = hertz
    self.channelCount = channelCount
    self.framesPerPacket = framesPerPacket
  }
}

extension SoundLayer: CustomStringConvertible {
  /// The layer in a few words: `HE-AAC, 44100 Hz, 2 channels`.
  public var description: String {
    "\(codec), \(hertz) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}
