// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
public import MusicalTime

/// Turns samples into packets of AAC, ALAC, MP3 or IMA ADPCM, without a file.
///
/// Packets to packets is a `PacketDecoder`, a `SoundConverter` where rate or channels change, and an
/// encoder.
///
/// - Note: Not real-time safe. One thread at a time.
@safe
public final class PacketEncoder {
  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// Its bytes.
    public let bytes: [UInt8]
    /// The frames that it decodes to; of ALAC the last gives fewer.
    public let frameCount: Int
  }

  /// Frames that a packet takes.
  public let framesPerPacket: Int
  /// What a decoder is to know beforehand; empty where the packets tell all.
  public let magicCookie: [UInt8]
  /// Frames that a decoder gives before the first that was put in.
  public let primingFrameCount: Int
  private let channelCount: Int
  private var encoder: EncoderHandle
  private let packet: PacketHandle
  private let path: String
  private var waiting: [Double] = []
  private var isFinished = false

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - format: M4A with AAC or with integers, which are ALAC's; MP3; or CAF with AAC, ALAC or IMA
  ///     ADPCM.
  ///   - rate: frames a second.
  ///   - layout: which loudspeaker each sample of a frame is for.
  ///   - bitrate: bits a second of a lossy codec; nil for 64,000 a channel of AAC, 192,000 of MP3.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg, `.cannotEncode` for another format,
  ///   `.impossibleShape` where the codec refuses rate or channels.
  public init(
    _ format: SoundFileFormat, rate: SampleRate, layout: ChannelLayout, bitrate: Int? = nil
  ) throws(SoundFileError) {
    path = "packets of .\(format.container.rawValue)"
    channelCount = layout.roles.count
    let (hertz, library) = (Int(rate.hertz), try unsafe FFmpegLibrary.table(for: path))
    let usual = format.container == .mp3 ? 192_000 : nil
    guard [.m4a, .mp3, .caf].contains(format.container),
      let recipe = EncodingRecipe(
        format, bitrate: bitrate ?? usual, quality: nil, channelCount: channelCount, hertz: hertz),
      let packet = unsafe PacketHandle(library)
    else {
      throw .cannotEncode(path: path, reason: "only AAC, ALAC, MP3 and IMA ADPCM have packets")
    }
    guard let mask = layout.mask else {
      throw .impossibleShape(path: path, channelCount: channelCount, hertz: hertz)
    }
    encoder = try unsafe EncoderHandle(library, recipe, hertz: hertz, mask: mask, path: path)
    self.packet = packet
    framesPerPacket = encoder.framesPerPacket
    let parameters = try unsafe CodecParameters(library, path: path)
    let told = unsafe encoder.describe(parameters.parameters)
    magicCookie = told < 0 ? [] : parameters.cookie
    primingFrameCount = told < 0 ? 0 : parameters.initialPadding
  }

  /// Encodes samples, interleaved; what fills no packet waits for the next.
  ///
  /// - Precondition: the count is a whole number of frames, and the stream was not finished.
  /// - Returns: the packets that are complete.
  /// - Throws: `SoundFileError.cannotEncode` where the codec fails.
  public func encode<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(SoundFileError) -> [Packet] {
    precondition(samples.count % channelCount == 0, "samples must be whole frames")
    precondition(!isFinished, "the stream is finished")
    waiting += samples.indices.map { samples[$0].value.isFinite ? samples[$0].value : 0 }
    let step = framesPerPacket * channelCount
    var (packets, place) = ([Packet](), 0)
    while waiting.count - place >= step {
      try check(encoder.send(waiting[place..<place + step], channelCount: channelCount))
      place += step
      packets += try received()
    }
    waiting.removeFirst(place)
    return packets
  }

  /// Ends the stream.
  ///
  /// - Returns: the packets that are left.
  /// - Throws: `SoundFileError.cannotEncode` where the codec fails.
  public func finish() throws(SoundFileError) -> [Packet] {
    guard !isFinished else { return [] }
    isFinished = true
    var packets: [Packet] = []
    if !waiting.isEmpty {
      try check(encoder.send(waiting[...], channelCount: channelCount))
      packets += try received()
    }
    try check(encoder.drain())
    return try packets + received()
  }

  private func received() throws(SoundFileError) -> [Packet] {
    var packets: [Packet] = []
    while true {
      let code = encoder.receive(packet)
      if code == FFmpegLibrary.again || code == cffmpeg_end() { return packets }
      try check(code)
      let duration = Int(packet.frameDuration)
      packets.append(
        Packet(bytes: packet.bytes, frameCount: duration > 0 ? duration : framesPerPacket))
      packet.clear()
    }
  }

  private func check(_ code: Int32) throws(SoundFileError) {
    if code < 0 { throw .cannotEncode(path: path, reason: FFmpegLibrary.reason(code)) }
  }
}
