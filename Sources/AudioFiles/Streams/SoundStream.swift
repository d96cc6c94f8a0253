// SPDX-License-Identifier: Apache-2.0

/// Finds packets of sound in bytes that arrive in pieces of any size: a file, a pipe, a broadcast.
///
/// The first bytes determine the container and so the parser; a kind can also be given. A stream is
/// a value without a thread or a file: append bytes, then take the packets. Bytes outside of packets
/// and tags, such as damage, are counted and skipped. Cutting the bytes into other pieces gives the
/// same packets.
///
/// Memory is bounded whatever the bytes claim: parsers keep the bytes of an incomplete packet or
/// page, an index of at most 128 MiB, and the offsets of packets, 8 bytes each, up to `placeLimit`
/// of them.
public struct SoundStream: Sendable {
  /// The containers.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// AAC with a header before each packet.
    case adts
    /// MPEG-1 or 2 audio.
    case mpegAudio
    /// MP4, M4A or QuickTime, with its index first or in fragments.
    case mp4
    /// Ogg with Vorbis, Opus or FLAC.
    case ogg
    /// FLAC.
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

  /// The number of packet offsets that are kept at most.
  public static let placeLimit = 1 << 20

  /// The container, codec and extent as known at this point; nil until the headers are complete.
  ///
  /// Formats without headers have properties from their first packet on.
  public var properties: Properties? { ledger.properties }
  /// The bitrate of the packets so far.
  public var bitrate: BitrateEstimate { ledger.bitrate }
  /// The number of bytes outside of packets, headers and tags.
  public var strayByteCount: Int64 { ledger.strayByteCount }
  /// The size of the whole stream in bytes, or nil if it is not known, as of a broadcast.
  public var byteCount: Int64? {
    get { ledger.byteCount }
    set { ledger.byteCount = newValue }
  }
  /// Set to false to get packets without their bytes, as for a survey; true by default.
  public var keepsBytes: Bool {
    get { ledger.keepsBytes }
    set { ledger.keepsBytes = newValue }
  }
  /// Set to true if the stream may change its format or container, as a broadcast does; false by
  /// default.
  ///
  /// The first packet of the new format then has `newProperties`. If false, MPEG audio and ADTS of
  /// another format are skipped. Containers that repeat their headers, such as chained Ogg, continue
  /// with either setting.
  public var takesOtherFormats: Bool {
    get { ledger.takesOtherFormats }
    set { ledger.takesOtherFormats = newValue }
  }

  private var ledger = PacketLedger()
  private var parser: (any StreamParsing)?
  /// The bytes of which the container is not known yet.
  private var opening: StreamOpening?

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - byteCount: the size of the whole stream in bytes, from which its duration and positions
  ///     ahead are computed; nil if it is not known.
  ///   - kind: the container, if it is known beforehand, as of segments in a playlist; nil to
  ///     determine it by the first bytes. `adts` and `mpegAudio` find either of the two, and
  ///     `wave`, `aiff`, `au` and `caf` any of the four.
  public init(byteCount: Int64? = nil, kind: Kind? = nil) {
    opening = StreamOpening(at: 0, kind: kind)
    self.byteCount = byteCount
  }

  /// Appends bytes.
  ///
  /// - Parameters:
  ///   - bytes: any number of bytes.
  ///   - offset: their position in the stream; nil if they follow the bytes before. Any other
  ///     position is a discontinuity.
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

  /// Declares that bytes are missing before the next ones.
  ///
  /// Packets are numbered on without a gap. If the stream takes other formats, the next bytes may
  /// also begin another container, as after a station was restarted.
  public mutating func noteDiscontinuity() {
    ledger.noteDiscontinuity()
    parser?.noteDiscontinuity(&ledger)
    if opening != nil {
      opening?.noteDiscontinuity()
    } else if takesOtherFormats {
      opening = StreamOpening(at: endOffset, kind: nil)
    }
  }

  /// Declares that no more bytes follow: the last packet is then complete without a successor.
  public mutating func finish() {
    ledger.isFinished = true
    open()
    parser?.finish(&ledger)
  }

  /// Returns the packets that were found since the last call, each once.
  public mutating func takePackets() -> [Packet] { ledger.take() }
}

extension SoundStream {
  /// The position behind the bytes that were appended.
  private var endOffset: Int64 { opening?.endOffset ?? parser?.endOffset ?? 0 }

  /// Skips the rest of a tag unseen.
  ///
  /// - Returns: the position of the byte that is needed next.
  mutating func passTag() -> Int64 {
    if opening != nil { return opening?.pass() ?? 0 }
    return parser?.pass() ?? 0
  }

  /// True if the first bytes are those of a container, false if packets are searched; nil if more
  /// bytes are needed to decide that.
  package var hasSignature: Bool? { parser.map { !($0 is MPEGStreamParser) } }

  /// True if the index of the packets is behind the sound, also once it was read.
  package var hasLateIndex: Bool { (parser as? MP4StreamParser)?.hasLateIndex ?? false }

  private mutating func move(to offset: Int64) {
    ledger.noteMove()
    parser?.move(to: offset, &ledger)
    if let opening { self.opening = StreamOpening(at: offset, kind: opening.kind) }
    if parser != nil { opening = nil }
  }

  /// Chooses the parser once the first bytes allow it, and passes them on.
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
  /// The number of packets in the whole stream, and whether it is an estimate; nil if there is no
  /// basis for one.
  ///
  /// The number is exact at the end, and if the stream states it. Otherwise the remaining bytes are
  /// divided by the mean size of the packets so far.
  public var packetCount: (value: Int, isEstimated: Bool)? {
    parser?.packetCount(ledger)
  }

  /// The number of frames of sound in the whole stream, and whether it is an estimate; nil if
  /// neither can be computed yet.
  public var frameCount: (value: Int64, isEstimated: Bool)? {
    parser?.frameCount(ledger)
  }

  /// The position from which to read the index, if the stream has its index behind its sound; else
  /// nil.
  ///
  /// Such a stream gives no packets until it has its index. Append bytes from this position, then
  /// those from `seek(toPacket: 0)`; or receive the whole file first. Known once the sound's header
  /// is reached.
  public var indexOffset: Int64? { parser?.indexOffset }

  /// True if the packets cannot be found as the bytes arrive, so the file needs to be received
  /// whole, and read by a `SoundFileReader`.
  ///
  /// Its index is behind the sound (see `indexOffset`), or its codec or order is not supported here.
  public var needsWholeFile: Bool { parser?.needsWholeFile ?? false }

  /// Finds the position from which to continue with a packet.
  ///
  /// The position of a packet in an index, or of one that was found before, is exact. Other
  /// positions are computed from a table of contents, or from the mean size of the packets so far.
  /// Append bytes from the returned position next.
  ///
  /// - Parameter packet: the packet's number, from 0.
  /// - Returns: the position; nil if the stream has no properties yet, or ends before the packet.
  public func seek(toPacket packet: Int) -> Place? {
    packet >= 0 ? parser?.place(ofPacket: packet, ledger) : nil
  }

  /// Finds the position from which to continue with a frame.
  ///
  /// - Parameter frame: the frame's number at `Properties.hertz`, counted from the first decoded
  ///   frame, from 0.
  /// - Returns: the position of the packet with that frame, as in `seek(toPacket:)`.
  public func seek(toFrame frame: Int64) -> Place? {
    frame >= 0 ? parser?.place(ofFrame: frame, ledger) : nil
  }
}
