// SPDX-License-Identifier: Apache-2.0

/// Finds packets of sound in bytes that come in pieces of any size: a file, a pipe, a broadcast.
///
/// Takes AAC in ADTS and MPEG-1 and 2 audio of every layer. It is a value without a thread or a
/// file: bytes are put in, what is known of the stream and its packets are taken out. Bytes that
/// belong to no packet, such as tags and damage, are counted and left out. Cutting the bytes into
/// other pieces gives the same packets.
///
/// What waits for more bytes is at most two packets; the places of the packets are kept, 8 bytes
/// each, up to `placeLimit` of them.
public struct SoundStream: Sendable {
  /// What the packets are wrapped in.
  public enum Kind: Hashable, Sendable {
    /// AAC, each packet behind a header of its own.
    case adts
    /// MPEG-1 or 2 audio.
    case mpegAudio
  }

  /// What is known of a stream as soon as its first packet is.
  public struct Properties: Hashable, Sendable {
    /// What the packets are wrapped in.
    public let kind: Kind
    /// How the packets can be decoded, the richest first, as far as their headers tell.
    public let layers: [SoundLayer]
    /// What a decoder is to know beforehand; empty where the packets tell all.
    public let magicCookie: [UInt8]
    /// Where the first packet of sound begins, in bytes.
    public let dataOffset: Int64
    /// Bits a second that the stream names; nil where it names none.
    public let nominalBitrate: Int?
    /// Decoded frames before the first that is sound.
    public let primingFrameCount: Int
    /// Decoded frames behind the last that is sound.
    public let remainderFrameCount: Int
    /// The packets that the stream says it has; nil where it does not.
    public let packetCount: Int?
    /// The frames that each packet gives where all are alike, as is usual.
    public let framesPerPacket: Int
    /// Frames a second of the first layer that the headers tell of.
    public var hertz: Int { layers[0].hertz }
  }

  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// Where it begins in the stream, in bytes.
    public let offset: Int64
    /// Its bytes with its header.
    public let byteCount: Int
    /// The bytes of the header where a decoder does without it, as of ADTS; else 0.
    public let headerByteCount: Int
    /// The packet as a decoder takes it; empty where `keepsBytes` is false.
    public let bytes: [UInt8]
    /// The number of its first frame, counted from the first that is decoded.
    public let firstFrame: Int64
    /// Whether that number is estimated, since bytes before it were not seen.
    public let isEstimated: Bool
    /// The frames that it gives.
    public let frameCount: Int
    /// Whether bytes are missing before it, so that a decoder is to forget what it knows.
    public let isDiscontinuous: Bool
    /// What is known of the stream from here on, where it goes on in another format; else nil.
    public let newProperties: Properties?
  }

  /// A place in the stream to go on from.
  public struct Place: Hashable, Sendable {
    /// The byte.
    public let offset: Int64
    /// The number of the packet that begins there.
    public let packet: Int
    /// Whether the place is reckoned rather than known: the packet there may be another, near by.
    public let isEstimated: Bool
  }

  /// The most places that are kept.
  public static let placeLimit = 1 << 20

  /// What is known of the stream, as it goes on; nil until its first packet is found.
  public internal(set) var properties: Properties?
  /// The bitrate of the packets so far.
  public internal(set) var bitrate = BitrateEstimate()
  /// Bytes that belonged to no packet and to no tag.
  public internal(set) var strayByteCount: Int64 = 0
  /// The bytes of the whole stream; nil where that is not known, as of a broadcast.
  public var byteCount: Int64?
  /// Whether the packets' bytes are handed out; a survey can do without; true by default.
  public var keepsBytes = true
  /// Whether the stream may go on in another format, as a broadcast does whose rate changes.
  ///
  /// The first packet of the new one then has `newProperties`. False by default: what is not of the
  /// first packet's kind belongs to no packet.
  public var takesOtherFormats = false

  var packets: [Packet] = []
  /// What was put in and waits, and where it begins in the stream.
  var waiting: [UInt8] = []
  var waitingOffset: Int64 = 0
  /// Bytes of a tag that are to be left out.
  var toSkip: Int64 = 0
  var framing: (any PacketFraming)?
  /// What is known since the last packet.
  var newProperties: Properties?
  var tag: MP3Tag?
  /// Where that began.
  var tagOffset: Int64 = 0
  /// The places of the packets from the first on, without a gap.
  var places: [Int64] = []
  /// The next packet's number and first frame.
  var nextPacket = 0
  var nextFrame: Int64 = 0
  var isDiscontinuous = false
  var isEstimated = false
  /// Whether the next packet's number is to be found out by its place.
  var needsPlace = false
  var isFinished = false

  /// Creates a parser.
  ///
  /// - Parameter byteCount: the bytes of the whole stream, which make the duration and places
  ///   known that are not seen yet; nil where that is not known.
  public init(byteCount: Int64? = nil) {
    self.byteCount = byteCount
  }

  /// Puts bytes in.
  ///
  /// - Parameters:
  ///   - bytes: any number of them.
  ///   - offset: where in the stream they begin; nil where they follow those before. Another place
  ///     than that is a discontinuity.
  /// - Complexity: O(n) in the number of bytes.
  public mutating func append(_ bytes: some Sequence<UInt8>, at offset: Int64? = nil) {
    if let offset, offset != waitingOffset + Int64(waiting.count) { move(to: offset) }
    waiting.append(contentsOf: bytes)
    parse()
  }

  /// Says that bytes are missing before the next, wherever they are: packets go on being counted
  /// from where they were.
  public mutating func noteDiscontinuity() {
    waitingOffset += Int64(waiting.count)
    waiting.removeAll()
    (toSkip, isDiscontinuous, isEstimated) = (0, true, true)
  }

  /// Says that no more bytes come: a last packet needs none behind it.
  public mutating func finish() {
    isFinished = true
    parse()
    strayByteCount += Int64(waiting.count)
    waitingOffset += Int64(waiting.count)
    waiting.removeAll()
  }

  /// Hands out the packets that were found since the last time, each once.
  public mutating func takePackets() -> [Packet] {
    defer { packets.removeAll() }
    return packets
  }
}
