// SPDX-License-Identifier: Apache-2.0

/// Reads the packets of a sound file as they are, without a decoder.
///
/// Reads MP4 and M4A with AAC, ALAC or MP3, CAF with any codec, AAC behind headers (ADTS), MPEG
/// audio, AC-3, E-AC-3 and FLAC. The index is in memory, 24 bytes per packet; sound is read when it
/// is asked for.
///
/// - Note: Not real-time safe. One thread at a time.
public final class PacketReader {
  /// The containers.
  public enum Container: String, Hashable, Sendable {
    /// MP4, M4A or QuickTime.
    case mp4
    /// Core Audio Format.
    case caf
    /// AAC with a header before each packet.
    case adts
    /// MPEG-1 or 2 audio.
    case mpegAudio
    /// AC-3 or E-AC-3.
    case ac3
    /// FLAC.
    case flac
  }

  /// The file's name.
  public let path: String
  /// The container.
  public let container: Container
  /// The four letters of an MP4 file's major brand, such as `M4A `; empty for other files.
  public let brand: String
  /// Where the packets lie, which frames they give, and which of these are not sound.
  public let table: PacketTable
  /// How they can be decoded, the richest first.
  ///
  /// HE-AAC that the file does not name is found in its first packets; this needs FFmpeg, which is
  /// loaded when the formats are first read.
  public var formats: [SoundLayer] { probe?.layers ?? statedFormats }
  /// The last of `formats`, which the file itself names; nil if it does not name any.
  package var core: SoundLayer? { statedFormats.last }
  private let statedFormats: [SoundLayer]
  private let probe: LayerProbe?
  /// What a decoder is to know beforehand: an AudioSpecificConfig, an ALAC cookie in its box, or
  /// nothing.
  public let magicCookie: [UInt8]
  /// Whether the file says which frames are not sound.
  public let isGapless: Bool
  private let stream: FileStream

  /// Opens a file.
  ///
  /// - Throws: `SoundFileError.cannotOpen`, `.tooMuch` as a `SoundFileReader` does; `.notSoundFile`
  ///   where it has no packets of these kinds.
  /// - Complexity: O(n) in the number of packets, of bytes where there is no index.
  public convenience init(path: String) throws(SoundFileError) {
    try self.init(FileStream.reading(path, limit: SoundFileReader.usualLimit), path: path)
  }

  /// Opens the bytes of a file that are in memory.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the whole file.
  ///   - name: what errors call it, and `path` is.
  /// - Throws: as for a path.
  public convenience init(bytes: [UInt8], name: String = "memory") throws(SoundFileError) {
    try self.init(FileStream(SoundBytes(bytes)), path: name)
  }

  /// Opens bytes that are provided when they are read.
  ///
  /// - Throws: as for a path.
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

  /// The search for layers that only the packets show; nil for other codecs than AAC.
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

  /// Reads a packet: of ADTS without its header.
  ///
  /// - Parameter number: its number in `table.packets`.
  /// - Returns: its bytes; nil where there is no such packet, or the file was cut off meanwhile.
  public func packet(_ number: Int) -> [UInt8]? {
    guard table.packets.indices.contains(number) else { return nil }
    let packet = table.packets[number]
    return stream.bytes(at: packet.offset, packet.byteCount)
  }
  /// The decoded frames of a packet that are not sound, at its beginning and at its end.
  ///
  /// They are an encoder's priming, and what is behind the end: a `PacketQueue` is to leave them out.
  ///
  /// - Parameters:
  ///   - number: its number in `table.packets`.
  ///   - layer: what the packets are decoded as, in whose frames is counted; nil for the first of
  ///     `formats`.
  /// - Returns: those at its beginning, and those at its end.
  /// - Precondition: there is such a packet.
  public func trims(ofPacket number: Int, in layer: SoundLayer? = nil) -> (start: Int, end: Int) {
    let (start, end) = table.trims(ofPacket: number)
    guard let layer = layer ?? formats.first,
      let scale = FrameScale(decodedHertz: layer.hertz, countedHertz: table.hertz)
    else { return (start, end) }
    let count = Int(scale.decoded(Int64(table.packets[number].frameCount)))
    // A last packet may be counted short, though its decoder gives as much as of any other.
    let beyond = layer.codec == .alac ? 0 : max(0, layer.framesPerPacket - count)
    return (Int(scale.decoded(Int64(start))), Int(scale.decoded(Int64(end))) + beyond)
  }
}
