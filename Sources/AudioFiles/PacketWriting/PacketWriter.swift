// SPDX-License-Identifier: Apache-2.0

/// Writes packets that a program has encoded to a sound file.
///
/// AAC is written to M4A, CAF and ADTS; ALAC to M4A and CAF; MP3 to MP3 and CAF; Vorbis, Opus and
/// FLAC to Ogg; IMA ADPCM, AC-3, E-AC-3 and speech codecs to CAF. The packets are those of a
/// `PacketEncoder` or `PacketReader`: AAC packets are without ADTS headers.
///
/// The file has a temporary name until `finish` has written the last byte. If a writer is released
/// earlier, the file is removed. The same packets always give the same bytes.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class PacketWriter {
  /// The settings of a new file.
  public struct Options: Hashable, Sendable {
    /// The metadata to write; empty by default.
    ///
    /// Metadata that the container does not support is left out.
    public var metadata = SoundFileMetadata()
    /// True to replace an existing file with the same name when the new file is finished; true by
    /// default.
    public var mayReplace = true

    /// Creates the default options.
    public init() {}
  }

  /// The name of the file.
  public let path: String
  /// The container of the file.
  public let container: SoundFileFormat.Container
  /// The codec, sample rate and channels of the packets.
  public let layer: SoundLayer
  /// The number of packets that were written.
  public private(set) var packetCount = 0
  /// The number of frames that the written packets decode to.
  public var decodedFrameCount: Int64 { extent.decodedFrameCount }
  private var extent = PacketExtent()
  private var metadata: SoundFileMetadata
  private var file: TemporaryFile
  private var body: any PacketBody
  private var isFinished = false

  /// Returns the containers that support a codec, with the usual one first.
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

  /// Starts a file under a temporary name.
  ///
  /// - Parameters:
  ///   - path: The final name of the file.
  ///   - container: One of `containers(for:)`.
  ///   - layer: The codec, sample rate and channels of the packets.
  ///   - magicCookie: The bytes that a decoder needs: an AudioSpecificConfig (AAC), a box `alac`,
  ///     the packet `OpusHead`, the three headers of Vorbis with their sizes in Xiph lacing, or the
  ///     block STREAMINFO (FLAC); empty for other codecs.
  ///   - primingFrameCount: The number of frames that a decoder outputs before the sound, 0…2³¹ −
  ///     1. ADTS cannot store this number.
  ///   - options: The metadata, and permission to replace a file.
  /// - Throws: `SoundFileError.otherPackets` if the container does not support the codec,
  ///   `.cannotEncode` if the cookie is missing or damaged, `.cannotCreate` or `.exists` as in
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
  /// - Precondition: The file is not finished.
  /// - Parameters:
  ///   - packet: The bytes of the packet.
  ///   - frameCount: The number of frames that the packet decodes to; nil for the number that the
  ///     layer states. In CAF and for ALAC the last packet can have fewer frames than the others.
  /// - Throws: `SoundFileError.cannotWrite` if the disk is full; `.cannotEncode` if the container
  ///   cannot store the packet, after which the file cannot be finished.
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

  /// Writes the end of the file, and renames the file to its final name.
  ///
  /// - Parameters:
  ///   - remainderFrameCount: The number of padding frames that a decoder outputs after the sound,
  ///     0 or more. ADTS cannot store this number, and MP3 only up to 4095.
  ///   - primingFrameCount: The number of frames that a decoder outputs before the sound, 0…2³¹ −
  ///     1, if it was not known when the file was started; nil for the number given to `init`. Ogg
  ///     ignores this number.
  ///   - metadata: The metadata, if it was not known when the file was started; nil for the
  ///     metadata of the options. Ogg ignores this metadata.
  /// - Throws: `SoundFileError.cannotWrite`, `.exists` or `.cannotEncode`. In these cases no file
  ///   remains.
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
