// SPDX-License-Identifier: Apache-2.0

/// Finds packets of sound in bytes that arrive in pieces of any size, from a file, a pipe or a
/// broadcast.
///
/// The container is detected from the first bytes, or given to `init`. The type does not read files
/// or start threads: append bytes, then take the packets. Bytes that do not belong to packets or
/// tags, such as damaged ones, are counted and skipped. The sizes of the pieces do not affect the
/// packets.
///
/// Memory is limited for any input. Parsers store the bytes of an incomplete packet or page, an
/// index of at most 128 MiB, and up to `placeLimit` positions of packets, 8 bytes each.
public struct SoundStream: Sendable {
  /// The supported containers.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// AAC with an ADTS header before each packet.
    case adts
    /// MPEG-1 or MPEG-2 audio, without a container.
    case mpegAudio
    /// MP4, M4A or QuickTime, with the index before the sound or in fragments.
    case mp4
    /// Ogg with Vorbis, Opus or FLAC.
    case ogg
    /// Native FLAC, without Ogg.
    case flac
    /// WAVE, RF64 or Wave64.
    case wave
    /// AIFF or AIFF-C.
    case aiff
    /// AU, also called SND.
    case au
    /// Core Audio Format.
    case caf
    /// An MPEG-2 transport stream.
    case transport
  }

  /// The maximum number of packet positions that are stored for seeking.
  public static let placeLimit = 1 << 20

  /// The container, codec and length of the stream; nil until the headers are complete.
  ///
  /// For formats without headers, the properties are known when the first packet is found.
  public var properties: Properties? { ledger.properties }
  /// The estimated bitrate, from the packets that were found.
  public var bitrate: BitrateEstimate { ledger.bitrate }
  /// The number of bytes that were skipped because they do not belong to packets, headers or tags.
  public var strayByteCount: Int64 { ledger.strayByteCount }
  /// The size of the whole stream in bytes; nil if it is unknown, as for a broadcast.
  public var byteCount: Int64? {
    get { ledger.byteCount }
    set { ledger.byteCount = newValue }
  }
  /// True if packets contain their bytes; true by default.
  ///
  /// Set the property to false if you need only positions and sizes.
  public var keepsBytes: Bool {
    get { ledger.keepsBytes }
    set { ledger.keepsBytes = newValue }
  }
  /// True to accept changes of the format or container within the stream, as in a broadcast; false
  /// by default.
  ///
  /// The first packet of the new format then has `newProperties`. If false, MPEG audio and ADTS of
  /// another format are skipped. Containers that repeat their headers, such as chained Ogg, are
  /// accepted in both cases.
  public var takesOtherFormats: Bool {
    get { ledger.takesOtherFormats }
    set { ledger.takesOtherFormats = newValue }
  }

  private var ledger = PacketLedger()
  private var parser: (any StreamParsing)?
  /// The first bytes, until the container is known.
  private var opening: StreamOpening?

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the whole stream in bytes, from which its duration and later
  ///     positions are calculated; nil if it is unknown.
  ///   - kind: The container if it is known, as for segments in a playlist; nil to detect it from
  ///     the first bytes. With `adts` or `mpegAudio`, both of these kinds are accepted; with
  ///     `wave`, `aiff`, `au` or `caf`, any of these four.
  public init(byteCount: Int64? = nil, kind: Kind? = nil) {
    opening = StreamOpening(at: 0, kind: kind)
    self.byteCount = byteCount
  }

  /// Appends bytes.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - offset: The position of the bytes in the stream; nil if they follow the previous bytes.
  ///     Any other position than the next one is a discontinuity.
  /// - Complexity: O(n) in the number of bytes.
  public mutating func append(_ bytes: some Sequence<UInt8>, at offset: Int64? = nil) {
    if let offset, offset != endOffset { move(to: offset) }
    guard opening != nil else {
      parser?.append(Array(bytes), &ledger)
      return
    }
    opening?.append(Array(bytes))
    open()
  }

  /// Marks a discontinuity: bytes are missing before those that are appended next.
  ///
  /// Packets are numbered continuously. If `takesOtherFormats` is true, the next bytes can also
  /// start another container, for example after a radio station restarts.
  public mutating func noteDiscontinuity() {
    ledger.noteDiscontinuity()
    parser?.noteDiscontinuity(&ledger)
    if opening != nil {
      opening?.noteDiscontinuity()
    } else if takesOtherFormats {
      opening = StreamOpening(at: endOffset, kind: nil)
    }
  }

  /// Marks the end of the stream, which can complete the last packet.
  public mutating func finish() {
    ledger.isFinished = true
    open()
    parser?.finish(&ledger)
  }

  /// Returns the packets that were found since the last call.
  public mutating func takePackets() -> [Packet] { ledger.take() }
}

extension SoundStream {
  /// The position after the last appended byte.
  private var endOffset: Int64 { opening?.endOffset ?? parser?.endOffset ?? 0 }

  /// Skips the rest of a tag without receiving it.
  ///
  /// - Returns: The position of the next byte that is needed.
  mutating func passTag() -> Int64 {
    if opening != nil { return opening?.pass() ?? 0 }
    return parser?.pass() ?? 0
  }

  /// True if the first bytes are those of a container, false if packets are searched for; nil if
  /// more bytes are needed.
  package var hasSignature: Bool? { parser.map { !($0 is MPEGStreamParser) } }

  /// True if the index of the packets is after the sound, even after it has been read.
  package var hasLateIndex: Bool { (parser as? MP4StreamParser)?.hasLateIndex ?? false }

  private mutating func move(to offset: Int64) {
    ledger.noteMove()
    parser?.move(to: offset, &ledger)
    if let opening { self.opening = StreamOpening(at: offset, kind: opening.kind) }
    if parser != nil { opening = nil }
  }

  /// Selects the parser when there are enough bytes, and passes the bytes to it.
  private mutating func open() {
    guard let found = opening?.choose(current: parser, isFinished: ledger.isFinished) else {
      return
    }
    let (bytes, offset) = (opening?.rest ?? [], opening?.offset ?? 0)
    ledger.announce(opening?.tags ?? [:])
    opening = nil
    if let parser, type(of: parser) == found {
      // Tags were skipped.
      if parser.endOffset != offset { self.parser?.move(to: offset, &ledger) }
    } else {
      parser = found.init(at: offset)
      ledger.keepsPlaces = true
    }
    parser?.append(bytes, &ledger)
  }
}

extension SoundStream {
  /// The number of packets in the whole stream, with `isEstimated` true if it is an estimate; nil
  /// if it is unknown.
  ///
  /// The number is exact at the end of the stream, or if the stream states it. In other cases it is
  /// estimated from the mean size of the packets that were found.
  public var packetCount: (value: Int, isEstimated: Bool)? {
    parser?.packetCount(ledger)
  }

  /// The number of frames of sound in the whole stream, with `isEstimated` true if it is an
  /// estimate; nil if it is unknown.
  public var frameCount: (value: Int64, isEstimated: Bool)? {
    parser?.frameCount(ledger)
  }

  /// The position of the index in bytes if the index follows the sound; otherwise nil.
  ///
  /// Packets of such a stream can be found only when the index is known. First append the bytes
  /// from this position, then those from the position that `seek(toPacket: 0)` returns; or receive
  /// the whole file first. The property is set when the header of the sound has been read.
  public var indexOffset: Int64? { parser?.indexOffset }

  /// True if packets cannot be found while the bytes arrive, so that the whole file must be
  /// received and read with `SoundFileReader`.
  ///
  /// This is the case if the index is after the sound (see `indexOffset`), or if this type does not
  /// support the codec or the order of the parts.
  public var needsWholeFile: Bool { parser?.needsWholeFile ?? false }

  /// Returns the position from which bytes must be appended to continue with a packet.
  ///
  /// The position is exact for a packet that is listed in an index or was found before. Other
  /// positions are calculated from a table of contents, or from the mean size of the packets that
  /// were found. Append the bytes from the returned position next.
  ///
  /// - Parameter packet: The index of the packet, from 0.
  /// - Returns: The position; nil if `properties` is nil, or the stream ends before the packet.
  public func seek(toPacket packet: Int) -> Place? {
    packet >= 0 ? parser?.place(ofPacket: packet, ledger) : nil
  }

  /// Returns the position from which bytes must be appended to continue with a frame.
  ///
  /// - Parameter frame: The index of the frame, counted at the rate `Properties.hertz`; the first
  ///   decoded frame is 0.
  /// - Returns: The position of the packet that contains the frame, as in `seek(toPacket:)`.
  public func seek(toFrame frame: Int64) -> Place? {
    frame >= 0 ? parser?.place(ofFrame: frame, ledger) : nil
  }
}
