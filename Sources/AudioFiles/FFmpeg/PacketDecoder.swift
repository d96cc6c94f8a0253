// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Turns packets of AAC, ALAC or MP3 into samples, without a file.
///
/// All frames of a packet come out, those included that a container would leave out: priming and
/// remainder are the caller's to drop.
///
/// - Note: Not real-time safe. One thread at a time.
public final class PacketDecoder {
  /// What the packets are decoded as.
  public let layer: SoundLayer
  /// Frames a second of what comes out; nil until a packet has told.
  public private(set) var rate: SampleRate?
  /// The samples in a frame of what comes out; nil until a packet has told.
  public private(set) var channelCount: Int?
  /// Packets of which nothing came, since they are damaged.
  public private(set) var damagedCount = 0
  private let magicCookie: [UInt8]
  private var decoding: PacketDecoding

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - layer: what the packets are decoded as, such as one of `PacketReader.formats`.
  ///   - magicCookie: what it is to know beforehand, such as `PacketReader.magicCookie`.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` where it has no such
  ///   decoder, or that refuses the cookie.
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

  /// The cookie for a layer that is not the first one of the configuration, or that the packets
  /// alone would decide about.
  private static func cookie(_ cookie: [UInt8], for layer: SoundLayer) -> [UInt8] {
    guard [.aac, .aacHE, .aacHEv2].contains(layer.codec), let config = AudioSpecificConfig(cookie)
    else { return cookie }
    let codecs = config.layers.map(\.codec)
    let isLower = codecs.first != layer.codec && codecs.contains(layer.codec)
    guard isLower || config.needsPackets && !config.listsElements else { return cookie }
    return config.bytes(for: layer.codec) ?? cookie
  }

  /// Forgets the packets so far: what is decoded next need not follow them.
  ///
  /// - Throws: as `init`.
  public func reset() throws(SoundFileError) { decoding = try Self.open(layer, magicCookie) }

  /// Decodes a packet.
  ///
  /// - Returns: its frames, interleaved; some codecs give those of a packet with the next.
  public func decode<Sample: AudioSample>(_ bytes: [UInt8], as type: Sample.Type) -> [Sample] {
    guard decoding.send(bytes) else {
      damagedCount += 1
      return []
    }
    return received(type)
  }

  /// Ends the stream.
  ///
  /// - Returns: the frames that the decoder held back, interleaved.
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
