// SPDX-License-Identifier: Apache-2.0

/// Writes encoded packets of a program's own into a sound file.
///
/// AAC goes into M4A, CAF and ADTS; ALAC into M4A and CAF; MP3 into MP3 and CAF; Vorbis, Opus and
/// FLAC into Ogg; IMA ADPCM, AC-3, E-AC-3 and codecs of speech into CAF. The packets are those that a
/// `PacketEncoder` gives and a `PacketReader` reads: AAC without the headers of ADTS.
///
/// The file grows under a temporary name and takes its own when `finish` has written the last byte; a
/// writer that is freed without it leaves nothing behind. The same packets give the same bytes.
///
/// - Note: Not real-time safe. One thread at a time.
public final class PacketWriter {
  /// The settings of a file.
  public struct Options: Hashable, Sendable {
    /// Texts, and in CAF markers and loops; a container keeps what it has room for; none by default.
    public var metadata = SoundFileMetadata()
    /// True to replace a file that has the name by the end; true by default.
    public var mayReplace = true

    /// Creates the default options.
    public init() {}
  }

  /// The name of the file.
  public let path: String
  /// The container.
  public let container: SoundFileFormat.Container
  /// The codec of the packets, and the rate in which their frames are counted.
  public let layer: SoundLayer
  /// The packets so far.
  public private(set) var packetCount = 0
  /// The frames that the packets so far decode to.
  public var decodedFrameCount: Int64 { extent.decodedFrameCount }
  private var extent = PacketExtent()
  private var metadata: SoundFileMetadata
  private var file: TemporaryFile
  private var body: any PacketBody
  private var isFinished = false

  /// The containers that hold packets of a codec, the usual one first.
  public static func containers(for codec: SoundCodec) -> [SoundFileFormat.Container] {
    switch codec {
    case .aac, .aacHE, .aacHEv2: [.m4a, .caf, .aac]
    case .alac: [.m4a, .caf]
    case .mp3: [.mp3, .caf]
    case .opus: [.opus, .ogg, .caf]
    case .vorbis: [.ogg]
    case .flac: [.ogg]
    case .mp1, .mp2, .imaADPCM, .ac3, .enhancedAC3, .ilbc, .amrNarrow, .amrWide: [.caf]
    default: []
    }
  }

  /// Begins a file under a temporary name.
  ///
  /// - Parameters:
  ///   - path: the name the file is to have.
  ///   - container: one of `containers(for:)`.
  ///   - layer: the codec, its channels, and the rate in which the frames of packets are counted.
  ///   - magicCookie: what a decoder is to know: an AudioSpecificConfig (AAC), a box `alac`, the
  ///     packet `OpusHead`, the three headers of Vorbis with their sizes by Xiph's lacing, or the
  ///     block STREAMINFO (FLAC); empty for other codecs.
  ///   - primingFrameCount: decoded frames before the sound, 0…2³¹ − 1; ADTS cannot state them.
  ///   - options: what it is given besides its packets.
  /// - Throws: `SoundFileError.otherPackets` if the container holds no such packets,
  ///   `.cannotEncode` if the cookie is missing or damaged, `.cannotCreate` or `.exists` as a
  ///   `SoundFileWriter`.
  public init(
    path: String, container: SoundFileFormat.Container, layer: SoundLayer,
    magicCookie: [UInt8] = [], primingFrameCount: Int = 0, options: Options = Options()
  ) throws(SoundFileError) {
    let containers = Self.containers(for: layer.codec)
    guard containers.contains(container) else {
      throw .otherPackets(path: path, layer.codec, containers)
    }
    guard (1...1 << 24).contains(layer.hertz), (1...255).contains(layer.channelCount) else {
      throw .impossibleShape(path: path, channelCount: layer.channelCount, hertz: layer.hertz)
    }
    guard (0..<1 << 31).contains(primingFrameCount) else {
      throw .cannotEncode(path: path, reason: "\(primingFrameCount) priming frames are impossible")
    }
    (self.path, self.container, self.layer) = (path, container, layer)
    metadata = options.metadata
    extent.priming = primingFrameCount
    file = try TemporaryFile(target: path, mayReplace: options.mayReplace)
    let stream = file.stream
    do throws(PacketRefusal) {
      body =
        switch container {
        case .caf: CAFBody(stream, layer, magicCookie)
        case .m4a: try MP4Body(stream, layer, magicCookie)
        case .aac: try ADTSBody(stream, magicCookie)
        case .mp3: MP3Body(stream)
        default:
          try OggBody(stream, layer, magicCookie, priming: primingFrameCount, options.metadata)
        }
    } catch {
      throw .cannotEncode(path: path, reason: error.reason)
    }
  }

  /// Adds a packet.
  ///
  /// - Precondition: the file was not finished.
  /// - Parameters:
  ///   - packet: its bytes.
  ///   - frameCount: the frames that it decodes to; nil for the layer's. In CAF and for ALAC the last
  ///     may decode to fewer.
  /// - Throws: `SoundFileError.cannotWrite` if the disk is full; `.cannotEncode` if the packet cannot
  ///   be stored, after which the file cannot be finished.
  public func write(_ packet: [UInt8], frameCount: Int? = nil) throws(SoundFileError) {
    precondition(!isFinished, "the file is finished")
    let count = frameCount ?? layer.framesPerPacket
    guard !packet.isEmpty, packet.count < 1 << 24, (0..<1 << 24).contains(count) else {
      throw refusal("a packet of \(packet.count) bytes and \(count) frames is impossible")
    }
    do throws(PacketRefusal) {
      try body.write(packet, frameCount: count)
    } catch {
      throw refusal(error.reason)
    }
    try checkDisk()
    packetCount += 1
    extent.decodedFrameCount += Int64(count)
  }

  /// Writes the last byte and gives the file its name.
  ///
  /// - Parameters:
  ///   - remainderFrameCount: decoded frames after the sound, 0 or more; ADTS and MP3 with more than
  ///     4095 cannot state them.
  ///   - primingFrameCount: decoded frames before the sound, 0…2³¹ − 1, if they are known only now;
  ///     nil for those of the beginning. Ogg keeps those of the beginning.
  ///   - metadata: the metadata if they are known only now; nil for those of the options. Ogg keeps
  ///     those of the options.
  /// - Throws: `SoundFileError.cannotWrite`, `.exists` or `.cannotEncode`; nothing is left then.
  public func finish(
    remainderFrameCount: Int = 0, primingFrameCount: Int? = nil,
    metadata: SoundFileMetadata? = nil
  ) throws(SoundFileError) {
    precondition(!isFinished, "the file is finished")
    guard remainderFrameCount >= 0, Int64(remainderFrameCount) <= extent.decodedFrameCount else {
      throw refusal("\(remainderFrameCount) frames after the sound are more than were decoded")
    }
    if let primingFrameCount, container != .ogg, container != .opus {
      guard (0..<1 << 31).contains(primingFrameCount) else {
        throw refusal("\(primingFrameCount) priming frames are impossible")
      }
      extent.priming = primingFrameCount
    }
    if let metadata { self.metadata = metadata }
    isFinished = true
    extent.remainder = remainderFrameCount
    do throws(PacketRefusal) {
      try body.finish(extent, self.metadata)
    } catch {
      throw refusal(error.reason)
    }
    try checkDisk()
    try file.keep(underFreeName: false)
  }

  private func checkDisk() throws(SoundFileError) {
    let code = file.stream.failure
    if code != 0 { throw .cannotWrite(path: path, code: code) }
  }

  private func refusal(_ reason: String) -> SoundFileError {
    isFinished = true
    return .cannotEncode(path: path, reason: reason)
  }
}
