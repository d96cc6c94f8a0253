// SPDX-License-Identifier: Apache-2.0

/// One of the ways to decode the same packets.
///
/// HE-AAC v2, for example, has three layers: the complete stereo sound, mono HE-AAC, and the AAC
/// core with half the bandwidth.
public struct SoundLayer: Hashable, Sendable {
  /// The codec that decodes the packets.
  public let codec: SoundCodec
  /// The sample rate of the decoded sound, in hertz.
  public let hertz: Int
  /// The number of channels of the decoded sound.
  public let channelCount: Int
  /// The number of frames that a packet decodes to; 0 if the number varies or is unknown.
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
