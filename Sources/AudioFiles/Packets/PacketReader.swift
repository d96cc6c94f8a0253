// SPDX-License-Identifier: Apache-2.0

/// Reads the packets of a sound file without decoding them.
///
/// The supported files are MP4 and M4A with AAC, ALAC or MP3; CAF with any codec; AAC with ADTS
/// headers; MPEG audio; AC-3; E-AC-3; and FLAC. The index of the packets is kept in memory, with 24
/// bytes per packet. The packets are read from the file when they are requested.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class PacketReader {
  /// A container that is supported by `PacketReader`.
  public enum Container: String, Hashable, Sendable {
    /// MP4, M4A or QuickTime.
    case mp4
    /// Core Audio Format.
    case caf
    /// AAC with an ADTS header before each packet.
    case adts
    /// MPEG-1 or MPEG-2 audio, without a container.
    case mpegAudio
    /// AC-3 or E-AC-3, without a container.
    case ac3
    /// Native FLAC, without Ogg.
    case flac
  }

  /// The name of the file.
  public let path: String
  /// The container of the file.
  public let container: Container
  /// The major brand of an MP4 file, which is four characters such as `M4A `; empty for other
  /// files.
  public let brand: String
  /// The table of the packets: their positions, the frames that they decode to, and the decoded
  /// frames that are not sound.
  public let table: PacketTable
  /// The layers with which the packets can be decoded, best first.
  ///
  /// To detect HE-AAC that the file does not state, the first access to this property decodes
  /// packets with FFmpeg. Without FFmpeg, only the stated layers are returned.
  public var formats: [SoundLayer] { probe?.layers ?? statedFormats }
  /// The last of `formats` that the file states; nil if it does not state any.
  package var core: SoundLayer? { statedFormats.last }
  private let statedFormats: [SoundLayer]
  private let probe: LayerProbe?
  /// The bytes that a decoder needs before the first packet; empty if the codec does not need any.
  ///
  /// For AAC these are an AudioSpecificConfig, and for ALAC the cookie in its box.
  public let magicCookie: [UInt8]
  /// True if the file states which decoded frames are not sound, so that it can be played without
  /// gaps.
  public let isGapless: Bool
  private let stream: FileStream

  /// Opens a file.
  ///
  /// - Parameter path: The name of the file.
  /// - Throws: `SoundFileError.cannotOpen` or `.tooMuch`, in the same cases as `SoundFileReader`;
  ///   `.notSoundFile` if the container or codec is not supported.
  /// - Complexity: O(n) in the number of packets, or in the number of bytes if the file does not
  ///   have an index.
  public convenience init(path: String) throws(SoundFileError) {
    try self.init(FileStream.reading(path, limit: SoundFileReader.usualLimit), path: path)
  }

  /// Opens a file in memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the whole file.
  ///   - name: The name that is used for `path` and in errors.
  /// - Throws: The errors of `init(path:)`.
  public convenience init(bytes: [UInt8], name: String = "memory") throws(SoundFileError) {
    try self.init(FileStream(SoundBytes(bytes)), path: name)
  }

  /// Opens a file whose bytes are provided when they are read.
  ///
  /// - Parameters:
  ///   - source: The bytes of the whole file.
  ///   - name: The name that is used for `path` and in errors.
  /// - Throws: The errors of `init(path:)`.
  public convenience init(source: SoundBytes, name: String = "memory") throws(SoundFileError) {
    try self.init(FileStream(source), path: name)
  }

  init(_ stream: FileStream, path: String) throws(SoundFileError) {
    self.path = path
    self.stream = stream
    let content = SoundContent(of: stream)
    brand = content == .mp4 ? Self.brand(of: stream) : ""
    switch content {
    case .mp4:
      container = .mp4
      guard let index = MP4Index.content(of: stream),
        let file = MP4Sound(index: index[...], length: stream.length)
      else { throw .notSoundFile(path: path, reason: "its packet index is missing") }
      table = file.allPackets(of: stream)
      (magicCookie, isGapless) = (file.cookie, file.isGapless)
      statedFormats = file.layers
      probe = Self.probe(file, table, stream)
    case .caf:
      container = .caf
      guard let file = CAFSound(of: stream), let packets = file.packets else {
        throw .notSoundFile(path: path, reason: "it does not contain packets")
      }
      (table, magicCookie, statedFormats) = (packets.table, file.cookie, file.layers)
      (isGapless, probe) = (packets.isGapless, nil)
    case .ac3:
      container = .ac3
      guard let survey = AC3Survey(of: stream), let first = survey.table.packets.first else {
        throw .notSoundFile(path: path, reason: "it does not contain packets")
      }
      (table, magicCookie, isGapless) = (survey.table, [], false)
      let header = survey.header
      probe = nil
      statedFormats = [
        SoundLayer(
          codec: header.codec, hertz: header.hertz, channelCount: header.channelCount,
          framesPerPacket: first.frameCount)
      ]
    default:
      let isFLAC = stream.bytes(at: 0, 4) == Array("fLaC".utf8)
      guard let survey = PacketSurvey(of: stream, kind: isFLAC ? .flac : .mpegAudio) else {
        throw .notSoundFile(path: path, reason: "it does not contain AAC or MPEG audio packets")
      }
      survey.finish()
      let properties = survey.properties
      (table, magicCookie) = (survey.table, properties.magicCookie)
      (statedFormats, probe) = (properties.statedLayers, properties.probe)
      isGapless = isFLAC || table.primingFrameCount > 0
      container = isFLAC ? .flac : properties.kind == .adts ? .adts : .mpegAudio
    }
  }

  private static func brand(of stream: FileStream) -> String {
    guard let head = stream.bytes(at: 0, 12), MP4Box.latin(head[4..<8]) == "ftyp" else { return "" }
    return MP4Box.latin(head[8...])
  }

  /// The search for layers that only the packets show; nil for codecs other than AAC.
  private static func probe(
    _ file: MP4Sound, _ table: PacketTable, _ stream: FileStream
  ) -> LayerProbe? {
    guard [.aac, .aacHE, .aacHEv2].contains(file.codec),
      AudioSpecificConfig(file.cookie)?.needsPackets == true
    else { return nil }
    let packets = table.packets.prefix(AudioSpecificConfig.probed)
      .filter { $0.byteCount <= LayerProbe.packetLimit }
      .compactMap { stream.bytes(at: $0.offset, $0.byteCount) }
    return LayerProbe(stated: file.layers, cookie: file.cookie, packets: packets)
  }

  /// Reads a packet; an ADTS header is not included.
  ///
  /// - Parameter number: The index in `table.packets`.
  /// - Returns: The bytes of the packet; nil if the index is out of range, or the file was
  ///   truncated.
  public func packet(_ number: Int) -> [UInt8]? {
    guard table.packets.indices.contains(number) else { return nil }
    let packet = table.packets[number]
    return stream.bytes(at: packet.offset, packet.byteCount)
  }
  /// Returns how many decoded frames at the start and end of a packet are not sound.
  ///
  /// These frames belong to the priming or the remainder. Pass the numbers to
  /// `PacketQueue.enqueue`, which removes the frames.
  ///
  /// - Parameters:
  ///   - number: The index in `table.packets`.
  ///   - layer: The layer with which the packet is decoded; frames are counted at its sample rate.
  ///     Nil for the first of `formats`.
  /// - Returns: The number of frames to remove at the start, and at the end.
  /// - Precondition: The index is in range.
  public func trims(ofPacket number: Int, in layer: SoundLayer? = nil) -> (start: Int, end: Int) {
    let (start, end) = table.trims(ofPacket: number)
    guard let layer = layer ?? formats.first,
      let scale = FrameScale(decodedHertz: layer.hertz, countedHertz: table.hertz)
    else { return (start, end) }
    let count = Int(scale.decoded(Int64(table.packets[number].frameCount)))
    // The table can state fewer frames for the last packet, although a decoder returns as many as
    // for any other.
    let beyond = layer.codec == .alac ? 0 : max(0, layer.framesPerPacket - count)
    return (Int(scale.decoded(Int64(start))), Int(scale.decoded(Int64(end))) + beyond)
  }
}
