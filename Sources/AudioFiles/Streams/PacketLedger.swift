// SPDX-License-Identifier: Apache-2.0

/// The packets, properties and positions that the parsers of a stream have found.
///
/// A ledger is kept if a stream changes its container and parser, so packets are numbered
/// continuously.
struct PacketLedger: Sendable {
  /// The maximum number of frames.
  ///
  /// Larger numbers are damage, and sums of them would overflow.
  static let mostFrames: Int64 = 1 << 56

  /// The size of the stream in bytes; nil if it is unknown.
  var byteCount: Int64?
  /// False if packets are needed without their bytes.
  var keepsBytes = true
  /// True if the stream can change its format.
  var takesOtherFormats = false
  /// False if the parser has an index, so that the positions of packets are not stored again.
  var keepsPlaces = true
  /// True after the last byte.
  var isFinished = false
  /// The number of bytes outside packets, headers and tags.
  var strayByteCount: Int64 = 0
  /// True if bytes are missing before the next packet.
  var isDiscontinuous = false

  /// The current properties.
  private(set) var properties: SoundStream.Properties?
  /// The bitrate of the packets so far.
  private(set) var bitrate = BitrateEstimate()
  /// The positions of the packets from the first one on, without a gap.
  private(set) var places: [Int64] = []
  /// The index of the next packet.
  private(set) var nextPacket = 0
  /// The first frame of the next packet.
  private(set) var nextFrame: Int64 = 0
  /// True if `nextPacket` and `nextFrame` are estimates.
  private(set) var isEstimated = false
  /// True if the next packet is the first after a move, so that its index is unknown.
  private(set) var needsPlace = false

  private var packets: [SoundStream.Packet] = []
  /// The properties and tags that the next packet must carry.
  private var newProperties: SoundStream.Properties?
  private var newTags: [SoundFileMetadata.Tag: String]?
  private var tags: [SoundFileMetadata.Tag: String] = [:]

  /// The number of packets that can still show more layers than the headers.
  private var unprobed = 0

  /// Sets the properties of the packets that follow, at the start and for each new header.
  mutating func begin(_ new: SoundStream.Properties) {
    if properties != nil { newProperties = new }
    properties = new
    unprobed = new.codecNeedsPackets ? AudioSpecificConfig.probed : 0
  }

  /// Passes a packet that can show more layers to the probe.
  private mutating func probe(_ packet: FoundPacket) {
    unprobed -= 1
    properties = properties?.probing(Array(packet.bytes))
    if newProperties != nil { newProperties = properties }
  }

  /// Sets the tags from the next packet on, unless they are empty or the same.
  mutating func announce(_ new: [SoundFileMetadata.Tag: String]) {
    guard !new.isEmpty, new != tags else { return }
    (tags, newTags) = (new, new)
  }

  /// Sets the index and first frame of the next packet.
  mutating func locate(packet: Int, frame: Int64, isEstimated: Bool) {
    (nextPacket, nextFrame, self.isEstimated) = (packet, frame, isEstimated)
    needsPlace = false
  }

  /// Adds a packet.
  ///
  /// After a move without `locate`, its index is estimated from its position.
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

  /// Notes that reading continues at another position.
  mutating func noteMove() {
    (isDiscontinuous, needsPlace, isFinished) = (true, true, false)
  }

  /// Notes that bytes are missing before the next one.
  mutating func noteDiscontinuity() { (isDiscontinuous, isEstimated) = (true, true) }
}

extension SoundStream.Properties {
  /// True for AAC whose configuration does not state its extensions.
  fileprivate var codecNeedsPackets: Bool {
    guard let core = statedLayers.last, core.codec == .aac,
      let config = AudioSpecificConfig(magicCookie)
    else { return false }
    // Several blocks in a packet of ADTS are decoded as one.
    return config.needsPackets && core.framesPerPacket == config.framesPerPacket
  }
}
