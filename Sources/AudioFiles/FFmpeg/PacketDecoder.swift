// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
public import MusicalTime

/// Turns packets of AAC, ALAC or MP3 into samples, without a file.
///
/// All frames of a packet come out, those included that a container would leave out: priming and
/// remainder are the caller's to drop.
///
/// - Note: Not real-time safe. One thread at a time.
@safe
public final class PacketDecoder {
  /// Frames a second of what comes out; nil until a packet has told.
  public private(set) var rate: SampleRate?
  /// The samples in a frame of what comes out; nil until a packet has told.
  public private(set) var channelCount: Int?
  /// Packets of which nothing came, since they are damaged.
  public private(set) var damagedCount = 0
  private let decoder: DecoderHandle
  private let packet: PacketHandle
  private let library: UnsafePointer<CFFmpegTable>

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - layer: what the packets are decoded as, such as one of `PacketReader.formats`.
  ///   - magicCookie: what it is to know beforehand, such as `PacketReader.magicCookie`.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` where it has no such
  ///   decoder, or that refuses the cookie.
  public init(_ layer: SoundLayer, magicCookie: [UInt8]) throws(SoundFileError) {
    let name = "packets of \(layer.codec)"
    let library = try unsafe FFmpegLibrary.table(for: name)
    let parameters = try unsafe CodecParameters(
      library, codec: layer.codec, cookie: magicCookie, hertz: layer.hertz,
      channelCount: layer.channelCount, path: name)
    guard let packet = unsafe PacketHandle(library) else {
      throw .notSoundFile(path: name, reason: "not enough memory")
    }
    decoder = try unsafe DecoderHandle(library, parameters.parameters, path: name)
    self.packet = packet
    unsafe self.library = library
  }

  /// Decodes a packet.
  ///
  /// - Returns: its frames, interleaved; some codecs give those of a packet with the next.
  public func decode<Sample: AudioSample>(_ bytes: [UInt8], as type: Sample.Type) -> [Sample] {
    guard packet.fill(with: bytes[...]), decoder.send(packet) >= 0 else {
      damagedCount += 1
      return []
    }
    return received(type)
  }

  /// Ends the stream.
  ///
  /// - Returns: the frames that the decoder held back, interleaved.
  public func finish<Sample: AudioSample>(as type: Sample.Type) -> [Sample] {
    decoder.drain()
    return received(type)
  }

  private func received<Sample: AudioSample>(_ type: Sample.Type) -> [Sample] {
    var samples: [Sample] = []
    while decoder.receive() >= 0 {
      let shape = decoder.shape
      guard (1...64).contains(shape.channelCount), shape.frameCount > 0 else { continue }
      (rate, channelCount) = (SampleRate(hertz: shape.hertz), shape.channelCount)
      guard let decoded = DecodedSamples(decoder, channelCount: shape.channelCount) else {
        continue
      }
      let count = shape.frameCount * shape.channelCount
      samples += unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, done in
        guard let base = buffer.baseAddress else { return }
        unsafe decoded.copy(0..<shape.frameCount, to: base, as: type.sampleType)
        done = count
      }
    }
    return samples
  }
}
