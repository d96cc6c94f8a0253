// SPDX-License-Identifier: Apache-2.0

/// The packets, properties and positions that the parsers of a stream have found.
///
/// A ledger outlives a parser, so packets are numbered on if a stream changes its container.
struct PacketLedger: Sendable {
  /// More frames than a stream has: larger numbers are not believed, since sums would overflow.
  static let mostFrames: Int64 = 1 << 56

  /// The size of the stream in bytes; nil if it is not known.
  var byteCount: Int64?
  /// False if packets are needed without their bytes.
  var keepsBytes = true
  /// True if the stream may change its format.
  var takesOtherFormats = false
  /// False if the parser has an index, so the offsets of packets need no second list.
  var keepsPlaces = true
  /// True after the last byte.
  var isFinished = false
  /// The number of bytes outside of packets, headers and tags.
  var strayByteCount: Int64 = 0
  /// True if bytes are missing before the next packet.
  var isDiscontinuous = false

  /// The newest properties.
  private(set) var properties: SoundStream.Properties?
  /// The bitrate of the packets so far.
  private(set) var bitrate = BitrateEstimate()
  /// The offsets of the packets from the first on, without a gap.
  private(set) var places: [Int64] = []
  /// The number of the next packet.
  private(set) var nextPacket = 0
  /// The first frame of the next packet.
  private(set) var nextFrame: Int64 = 0
  /// True if these two are estimates.
  private(set) var isEstimated = false
  /// True if the next packet is the first after a move, so its number is not known yet.
  private(set) var needsPlace = false

  private var packets: [SoundStream.Packet] = []
  /// The properties and tags that the next packet has to carry.
  private var newProperties: SoundStream.Properties?
  private var newTags: [SoundFileMetadata.Tag: String]?
  private var tags: [SoundFileMetadata.Tag: String] = [:]

  /// The packets that may still show more layers than the headers.
  private var unprobed = 0

  /// Sets the properties of the packets that follow, at the start and for each new header.
  mutating func begin(_ new: SoundStream.Properties) {
    if properties != nil { newProperties = new }
    properties = new
    unprobed = new.codecNeedsPackets ? AudioSpecificConfig.probed : 0
  }

  /// Keeps a packet that may show more layers.
  private mutating func probe(_ packet: FoundPacket) {
    unprobed -= 1
    properties = properties?.probing(Array(packet.bytes))
    if newProperties != nil { newProperties = properties }
  }

  /// Replaces the tags from the next packet on; none change if these are empty or the same.
  mutating func announce(_ new: [SoundFileMetadata.Tag: String]) {
    guard !new.isEmpty, new != tags else { return }
    (tags, newTags) = (new, new)
  }

  /// Sets the number and first frame of the next packet.
  mutating func locate(packet: Int, frame: Int64, isEstimated: Bool) {
    (nextPacket, nextFrame, self.isEstimated) = (packet, frame, isEstimated)
    needsPlace = false
  }

  /// Adds a packet; after a move without `locate` it is numbered by its offset.
  mutating func add(_ packet: FoundPacket) {
    if needsPlace { locate(at: packet.offset) }
    if unprobed > 0 { probe(packet) }
    packets.append(
      SoundStream.Packet(
        offset: packet.offset, byteCount: packet.byteCount,
        headerByteCount: packet.headerByteCount, bytes: keepsBytes ? Array(packet.bytes) : [],
        firstFrame: nextFrame, isEstimated: isEstimated, frameCount: packet.frameCount,
        isDiscontinuous: isDiscontinuous, newProperties: newProperties, time: packet.time,
        omittedFrames: packet.omittedFrames, newTags: newTags))
    (newProperties, newTags, isDiscontinuous) = (nil, nil, false)
    if packet.frameCount > 0, let hertz = properties?.hertz {
      bitrate.add(byteCount: packet.byteCount, frameCount: packet.frameCount, hertz: hertz)
    }
    if keepsPlaces, !isEstimated, nextPacket == places.count,
      places.count < SoundStream.placeLimit
    {
      places.append(packet.offset)
    }
    nextPacket += 1
    nextFrame &+= Int64(packet.frameCount)
  }

  /// Returns the packets added since the last call.
  mutating func take() -> [SoundStream.Packet] {
    defer { packets.removeAll() }
    return packets
  }

  /// Notes that reading continues at another offset.
  mutating func noteMove() {
    (isDiscontinuous, needsPlace, isFinished) = (true, true, false)
  }

  /// Notes that bytes are missing before the next.
  mutating func noteDiscontinuity() { (isDiscontinuous, isEstimated) = (true, true) }
}

extension SoundStream.Properties {
  /// True for AAC with a configuration that does not state its extensions.
  fileprivate var codecNeedsPackets: Bool {
    guard let core = statedLayers.last, core.codec == .aac,
      let config = AudioSpecificConfig(magicCookie)
    else { return false }
    // Several blocks in a packet of ADTS are decoded as one.
    return config.needsPackets && core.framesPerPacket == config.framesPerPacket
  }
}
