// SPDX-License-Identifier: Apache-2.0

/// One of the ways to decode the same packets.
///
/// HE-AAC v2, for example, has three layers: all of it, mono HE-AAC, and the AAC core with half the
/// bandwidth.
public struct SoundLayer: Hashable, Sendable {
  /// The codec that decodes the packets.
  public let codec: SoundCodec
  /// Frames per second of the decoded sound.
  public let hertz: Int
  /// Samples in a frame of the decoded sound.
  public let channelCount: Int
  /// The number of frames that a packet decodes to; 0 if it varies or is unknown.
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
  /// A summary, such as `HE-AAC, 44100 Hz, 2 channels`.
  public var description: String {
    "\(codec), \(hertz) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}
