// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import MusicalTime

/// An FFmpeg decoder with its packet: bytes in, frames out.
@safe
struct PacketDecoding: ~Copyable {
  /// The frames that a decoder returns in one call.
  struct Frames<Sample> {
    let shape: DecoderHandle.Shape
    let rate: SampleRate
    /// The samples, interleaved.
    let samples: [Sample]
  }

  private let decoder: DecoderHandle
  private let packet: PacketHandle

  /// Opens a decoder.
  ///
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` if FFmpeg does not
  ///   decode the codec, or rejects the cookie.
  init(
    _ codec: SoundCodec, cookie: [UInt8], hertz: Int, channelCount: Int, framesPerPacket: Int = 0,
    path: String
  ) throws(SoundFileError) {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let parameters = try unsafe CodecParameters(
      library, codec: codec, cookie: cookie, hertz: hertz, channelCount: channelCount,
      framesPerPacket: framesPerPacket, path: path)
    guard let packet = unsafe PacketHandle(library) else {
      throw .notSoundFile(path: path, reason: "not enough memory")
    }
    decoder = try unsafe DecoderHandle(library, parameters.parameters, path: path)
    self.packet = packet
  }

  /// Sends a packet; returns false if the decoder rejects it.
  func send(_ bytes: [UInt8]) -> Bool {
    let isTaken = packet.fill(with: bytes[...]) && decoder.send(packet) >= 0
    packet.clear()
    return isTaken
  }

  /// Signals the end of the packets.
  func drain() { decoder.drain() }

  /// Receives the next frames; nil if none are ready.
  func receive<Sample: AudioSample>(_ type: Sample.Type) -> Frames<Sample>? {
    while decoder.receive() >= 0 {
      let shape = decoder.shape
      guard shape.frameCount > 0, (1...64).contains(shape.channelCount),
        let rate = SampleRate(hertz: shape.hertz),
        let decoded = DecodedSamples(decoder, channelCount: shape.channelCount)
      else { continue }
      let count = shape.frameCount * shape.channelCount
      let samples = unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, done in
        guard let base = buffer.baseAddress else { return }
        unsafe decoded.copy(0..<shape.frameCount, to: base, as: type.sampleType)
        done = count
      }
      return Frames(shape: shape, rate: rate, samples: samples)
    }
    return nil
  }
}
