// SPDX-License-Identifier: Apache-2.0

extension SoundStream {
  /// The container, codec and extent of a stream.
  public struct Properties: Hashable, Sendable {
    /// The container.
    public let kind: Kind
    /// The layers with which the packets can be decoded, best first.
    ///
    /// Until the first packet is found, these are the layers that the headers state. After it they
    /// include HE-AAC that the headers do not state, if FFmpeg is installed; FFmpeg is loaded when
    /// the layers are first read. Two values are equal if their headers state the same layers.
    public var layers: [SoundLayer] { probe?.layers ?? statedLayers }
    /// The layers that the headers state.
    let statedLayers: [SoundLayer]
    /// The search for other layers; nil if the headers state all.
    private(set) var probe: LayerProbe?
    /// The bytes that a decoder needs before the first packet; empty if it needs none.
    public let magicCookie: [UInt8]
    /// The position of the first packet of sound, in bytes.
    public let dataOffset: Int64
    /// Frames per second of the positions of packets; for HE-AAC the rate of the core or the full
    /// rate.
    public let hertz: Int
    /// The bitrate that the stream states, in bits per second; nil if it does not.
    public let nominalBitrate: Int?
    /// Decoded frames before the sound, from the first packet of the format.
    public let primingFrameCount: Int
    /// Decoded frames after the sound; 0 if the packets state them.
    public let remainderFrameCount: Int
    /// The number of packets that the stream states; nil if it does not.
    public let packetCount: Int?
    /// The number of frames in a packet if it is the same for all packets; otherwise that of the
    /// first packet, or 0 if it is unknown.
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

    /// The properties after one more packet that can show other layers.
    func probing(_ packet: [UInt8]) -> Properties {
      let old = probe ?? LayerProbe(stated: statedLayers, cookie: magicCookie, packets: [])
      var new = self
      new.probe = old.with(packet)
      return new
    }
  }

  /// A packet of a stream.
  public struct Packet: Hashable, Sendable {
    /// The position in the stream, in bytes.
    ///
    /// For a packet in several pages it is that of the first page.
    public let offset: Int64
    /// The number of bytes, including the header.
    public let byteCount: Int
    /// The number of bytes of a header that decoders do not need, as in ADTS; otherwise 0.
    public let headerByteCount: Int
    /// The bytes for the decoder; empty if `keepsBytes` is false.
    public let bytes: [UInt8]
    /// The index of its first frame; the first decoded frame of the stream is 0.
    public let firstFrame: Int64
    /// True if `firstFrame` is an estimate, because bytes before it were not received.
    public let isEstimated: Bool
    /// The number of frames in the packet.
    public let frameCount: Int
    /// True if bytes are missing before the packet, so the decoder must be reset.
    public let isDiscontinuous: Bool
    /// The properties from this packet on if the format changes or starts again here; otherwise
    /// nil.
    public let newProperties: Properties?
    /// The time of the first frame that the container states, in frames at `Properties.hertz`; nil
    /// if it does not.
    public let time: Int64?
    /// The decoded frames of the packet that are not sound, in order and relative to its first
    /// frame.
    ///
    /// They are in addition to `Properties.primingFrameCount` and `Properties.remainderFrameCount`.
    public let omittedFrames: [Range<Int>]
    /// The tags of the sound from this packet on if they change here; otherwise nil.
    public let newTags: [SoundFileMetadata.Tag: String]?
  }

  /// A position in the stream from which to continue.
  public struct Place: Hashable, Sendable {
    /// The position in bytes.
    public let offset: Int64
    /// The index of the packet that starts there.
    public let packet: Int
    /// The first frame of that packet; the first decoded frame of the stream is 0.
    public let firstFrame: Int64
    /// True if the position is an estimate, so that the packet there can be another one nearby.
    public let isEstimated: Bool
  }
}

extension SoundStream.Properties {
  /// Returns true if the headers state the same in both.
  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.statedLayers == other.statedLayers
      && one.magicCookie == other.magicCookie && one.dataOffset == other.dataOffset
      && one.hertz == other.hertz && one.nominalBitrate == other.nominalBitrate
      && one.primingFrameCount == other.primingFrameCount
      && one.remainderFrameCount == other.remainderFrameCount
      && one.packetCount == other.packetCount && one.framesPerPacket == other.framesPerPacket
      && one.samples == other.samples
  }

  /// Hashes the components that equal values have in common.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(statedLayers)
    hasher.combine(magicCookie)
    hasher.combine(dataOffset)
  }
}
