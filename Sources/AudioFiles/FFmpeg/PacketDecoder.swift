// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Decodes packets of a codec, such as AAC, ALAC or MP3, to samples, without a file.
///
/// All frames of each packet are returned. Priming and remainder, which only the container states,
/// are included; the caller removes them.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class PacketDecoder {
  /// The layer with which packets are decoded.
  public let layer: SoundLayer
  /// The sample rate of the output; nil until a packet is decoded.
  public private(set) var rate: SampleRate?
  /// The number of channels of the output; nil until a packet is decoded.
  public private(set) var channelCount: Int?
  /// The number of damaged packets, which could not be decoded.
  public private(set) var damagedCount = 0
  private let magicCookie: [UInt8]
  private var decoding: PacketDecoding

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - layer: The layer to decode, such as one of `PacketReader.formats`.
  ///   - magicCookie: The bytes that the decoder needs before the first packet, such as
  ///     `PacketReader.magicCookie`; empty if the codec does not need any.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` if FFmpeg does not
  ///   decode the codec, or rejects the cookie.
  public init(_ layer: SoundLayer, magicCookie: [UInt8]) throws(SoundFileError) {
    self.layer = layer
    self.magicCookie = Self.cookie(magicCookie, for: layer)
    decoding = try Self.open(layer, self.magicCookie)
  }

  private static func open(
    _ layer: SoundLayer, _ cookie: [UInt8]
  ) throws(SoundFileError) -> PacketDecoding {
    try PacketDecoding(
      layer.codec, cookie: cookie, hertz: layer.hertz, channelCount: layer.channelCount,
      framesPerPacket: layer.framesPerPacket, path: "packets of \(layer.codec)")
  }

  /// The cookie for a layer other than the first of the configuration, or one that only the packets
  /// reveal.
  private static func cookie(_ cookie: [UInt8], for layer: SoundLayer) -> [UInt8] {
    guard [.aac, .aacHE, .aacHEv2].contains(layer.codec), let config = AudioSpecificConfig(cookie)
    else { return cookie }
    let codecs = config.layers.map(\.codec)
    let isLower = codecs.first != layer.codec && codecs.contains(layer.codec)
    guard isLower || config.needsPackets && !config.listsElements else { return cookie }
    return config.bytes(for: layer.codec) ?? cookie
  }

  /// Restarts the decoder, so that the next packet can be any packet of the stream.
  ///
  /// - Throws: The errors of `init`.
  public func reset() throws(SoundFileError) { decoding = try Self.open(layer, magicCookie) }

  /// Decodes a packet.
  ///
  /// - Returns: The frames, interleaved; empty for a damaged packet. Some codecs return the frames
  ///   of a packet only when the next packet is decoded.
  public func decode<Sample: AudioSample>(_ bytes: [UInt8], as type: Sample.Type) -> [Sample] {
    guard decoding.send(bytes) else {
      damagedCount += 1
      return []
    }
    return received(type)
  }

  /// Ends the stream.
  ///
  /// - Returns: The remaining frames, interleaved.
  public func finish<Sample: AudioSample>(as type: Sample.Type) -> [Sample] {
    decoding.drain()
    return received(type)
  }

  private func received<Sample: AudioSample>(_ type: Sample.Type) -> [Sample] {
    var samples: [Sample] = []
    while let frames = decoding.receive(type) {
      (rate, channelCount) = (frames.rate, frames.shape.channelCount)
      samples += frames.samples
    }
    return samples
  }
}
