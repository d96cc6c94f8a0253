// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
public import MusicalTime

/// Encodes samples to packets of AAC, ALAC, MP3 or IMA ADPCM, without a file.
///
/// To transcode packets, connect a `PacketDecoder`, a `SoundConverter` if rate or channels change,
/// and a `PacketEncoder`.
///
/// - Note: Not real-time safe. Use from one thread at a time.
@safe
public final class PacketEncoder {
  /// An encoded packet.
  public struct Packet: Hashable, Sendable {
    /// The bytes of the packet.
    public let bytes: [UInt8]
    /// The number of frames that the packet decodes to.
    ///
    /// The last packet of ALAC can have fewer frames than the others.
    public let frameCount: Int
  }

  /// The number of input frames in a packet.
  public let framesPerPacket: Int
  /// The bytes that a decoder needs before the first packet; empty if the codec does not need any.
  public let magicCookie: [UInt8]
  /// The number of frames that a decoder outputs before the first input frame.
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
  ///   - format: M4A with AAC, or with integers for ALAC; MP3; or CAF with AAC, ALAC or IMA ADPCM.
  ///   - rate: The sample rate.
  ///   - layout: The loudspeaker of each channel.
  ///   - bitrate: The bitrate of a lossy codec, in bits per second. Nil means 192,000 for MP3, and
  ///     for AAC 64,000 for each of the first two channels and 48,000 for each further channel.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg, `.cannotEncode` for another format,
  ///   `.impossibleShape` if the codec does not support the rate or channels.
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

  /// Encodes interleaved samples.
  ///
  /// An incomplete packet is kept until more samples follow.
  ///
  /// - Precondition: `samples` has complete frames, and the stream is not finished.
  /// - Returns: The packets that were completed by these samples.
  /// - Throws: `SoundFileError.cannotEncode` if the codec fails.
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
  /// - Returns: The last packets; empty if the stream was already finished.
  /// - Throws: `SoundFileError.cannotEncode` if the codec fails.
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
