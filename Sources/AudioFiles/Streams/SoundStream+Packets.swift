// SPDX-License-Identifier: Apache-2.0

extension SoundStream {
  /// The container, codec and extent of a stream.
  public struct Properties: Hashable, Sendable {
    /// The container.
    public let kind: Kind
    /// The ways to decode the packets, the richest first.
    ///
    /// Until the first packet is found, they are those that the headers state; from then on they
    /// include HE-AAC that no header states, if FFmpeg is installed. FFmpeg is loaded for it when
    /// the layers are first read. Two values are equal if their headers state the same layers.
    public var layers: [SoundLayer] { probe?.layers ?? statedLayers }
    /// The layers that the headers state.
    let statedLayers: [SoundLayer]
    /// The search for others; nil if the headers state all.
    private(set) var probe: LayerProbe?
    /// The configuration that the decoder needs; empty if the packets contain all of it.
    public let magicCookie: [UInt8]
    /// The offset of the first packet of sound in bytes.
    public let dataOffset: Int64
    /// The frames per second in which positions of packets are counted; of HE-AAC either the
    /// core's rate or the full rate.
    public let hertz: Int
    /// The bitrate that the stream states, in bits per second; nil if it states none.
    public let nominalBitrate: Int?
    /// The number of decoded frames before the sound, from the packet on that begins the format.
    public let primingFrameCount: Int
    /// The number of decoded frames behind the sound; 0 if the packets state it.
    public let remainderFrameCount: Int
    /// The number of packets that the stream states; nil if it states none.
    public let packetCount: Int?
    /// The number of frames per packet if it is the same for all packets; else the number of the
    /// first packet, or 0 if that is not known.
    public let framesPerPacket: Int
    /// The layout of the samples of PCM, μ-law and A-law; nil for all other codecs.
    public let samples: PCMLayout?

    init(
      kind: Kind, layers: [SoundLayer], magicCookie: [UInt8] = [], dataOffset: Int64,
      hertz: Int? = nil, nominalBitrate: Int? = nil, primingFrameCount: Int = 0,
      remainderFrameCount: Int = 0, packetCount: Int? = nil, framesPerPacket: Int,
      samples: PCMLayout? = nil
    ) {
      (self.kind, statedLayers, self.magicCookie) = (kind, layers, magicCookie)
      (self.dataOffset, self.nominalBitrate) = (dataOffset, nominalBitrate)
      self.hertz = hertz ?? layers[0].hertz
      self.primingFrameCount = primingFrameCount
      self.remainderFrameCount = remainderFrameCount
      (self.packetCount, self.framesPerPacket) = (packetCount, framesPerPacket)
      self.samples = samples
    }

    /// The properties with one packet more that may show other layers.
    func probing(_ packet: [UInt8]) -> Properties {
      let old = probe ?? LayerProbe(stated: statedLayers, cookie: magicCookie, packets: [])
      var new = self
      new.probe = old.with(packet)
      return new
    }
  }

  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// The packet's offset in the stream in bytes; of a packet in several pages, the offset of the
    /// first.
    public let offset: Int64
    /// The number of bytes including its header.
    public let byteCount: Int
    /// The number of bytes of a header that decoders do not need, as of ADTS; else 0.
    public let headerByteCount: Int
    /// The bytes for the decoder; empty if `keepsBytes` is false.
    public let bytes: [UInt8]
    /// The number of its first frame, counted from the first decoded frame of the stream.
    public let firstFrame: Int64
    /// True if that number is an estimate because bytes before it were not received.
    public let isEstimated: Bool
    /// The number of frames in the packet.
    public let frameCount: Int
    /// True if bytes are missing before the packet, so the decoder must be reset.
    public let isDiscontinuous: Bool
    /// The properties from this packet on if the format changes or begins again here; else nil.
    public let newProperties: Properties?
    /// The container's own time of the first frame, in frames at `Properties.hertz`; nil if the
    /// container has none.
    public let time: Int64?
    /// The decoded frames of the packet that are not sound, in order and counted from its first;
    /// in addition to `Properties.primingFrameCount` and `remainderFrameCount`.
    public let omittedFrames: [Range<Int>]
    /// The tags of the sound from this packet on, if they change here; else nil.
    public let newTags: [SoundFileMetadata.Tag: String]?
  }

  /// A position in the stream from which to continue.
  public struct Place: Hashable, Sendable {
    /// The offset in bytes.
    public let offset: Int64
    /// The number of the packet that begins there.
    public let packet: Int
    /// The first frame of that packet, counted from the first decoded frame.
    public let firstFrame: Int64
    /// True if the position is an estimate: the packet there may be another one nearby.
    public let isEstimated: Bool
  }
}

extension SoundStream.Properties {
  /// True if all that the headers state is the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.statedLayers == other.statedLayers
      && one.magicCookie == other.magicCookie && one.dataOffset == other.dataOffset
      && one.hertz == other.hertz && one.nominalBitrate == other.nominalBitrate
      && one.primingFrameCount == other.primingFrameCount
      && one.remainderFrameCount == other.remainderFrameCount
      && one.packetCount == other.packetCount && one.framesPerPacket == other.framesPerPacket
      && one.samples == other.samples
  }

  /// Adds what equal values have in common.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(statedLayers)
    hasher.combine(magicCookie)
    hasher.combine(dataOffset)
  }
}
