// SPDX-License-Identifier: Apache-2.0

extension SoundStream {
  /// The container, codec and length of a stream, as far as the stream states them.
  public struct Properties: Hashable, Sendable {
    /// The container of the stream.
    public let kind: Kind
    /// The layers with which the packets can be decoded, best first.
    ///
    /// Until the first packet is found, these are the layers that the headers state. Afterwards
    /// they include HE-AAC even if the headers do not state it, provided that FFmpeg is installed;
    /// FFmpeg is loaded when this property is first read. Two `Properties` are equal if their
    /// headers state the same layers.
    public var layers: [SoundLayer] { probe?.layers ?? statedLayers }
    /// The layers that the headers state.
    let statedLayers: [SoundLayer]
    /// The search for other layers; nil if the headers state all.
    private(set) var probe: LayerProbe?
    /// The bytes that a decoder needs before the first packet; empty if the codec does not need
    /// any.
    public let magicCookie: [UInt8]
    /// The position of the first packet of sound, in bytes.
    public let dataOffset: Int64
    /// The sample rate in hertz to which the positions of packets refer.
    ///
    /// For HE-AAC it is the rate of the core or the full rate.
    public let hertz: Int
    /// The bitrate that the stream states, in bits per second; nil if the stream does not state
    /// one.
    public let nominalBitrate: Int?
    /// The number of decoded frames before the sound, counted from the first packet of the format.
    public let primingFrameCount: Int
    /// The number of decoded frames after the sound; 0 if the packets state them
    /// (`Packet.omittedFrames`).
    public let remainderFrameCount: Int
    /// The number of packets that the stream states; nil if the stream does not state a number.
    public let packetCount: Int?
    /// The number of frames in each packet.
    ///
    /// If packets differ, the number of the first packet, or 0 if it is unknown.
    public let framesPerPacket: Int
    /// For PCM, μ-law and A-law, the layout of the samples; nil for all other codecs.
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
    /// The position of the packet in the stream, in bytes.
    ///
    /// For a packet that extends over several Ogg pages, the position of the first page.
    public let offset: Int64
    /// The size of the packet in bytes, including its header.
    public let byteCount: Int
    /// The size in bytes of a header that decoders do not need, as in ADTS; otherwise 0.
    public let headerByteCount: Int
    /// The bytes for the decoder, without the header; empty if `SoundStream.keepsBytes` is false.
    public let bytes: [UInt8]
    /// The index of the packet's first frame; the first decoded frame of the stream is 0.
    public let firstFrame: Int64
    /// True if `firstFrame` is an estimate, because bytes before it were not received.
    public let isEstimated: Bool
    /// The number of frames in the packet.
    public let frameCount: Int
    /// True if bytes are missing before the packet, so the decoder must be reset.
    public let isDiscontinuous: Bool
    /// The properties that apply from this packet on, if the format changes or starts again with
    /// it; otherwise nil.
    public let newProperties: Properties?
    /// The time that the container states for the first frame of the packet, in frames at
    /// `Properties.hertz`; nil if it does not state one.
    public let time: Int64?
    /// The decoded frames of the packet that are not sound, as ranges in ascending order, relative
    /// to the packet's first frame.
    ///
    /// The frames of `Properties.primingFrameCount` and `Properties.remainderFrameCount` are not
    /// included.
    public let omittedFrames: [Range<Int>]
    /// The tags of the sound that apply from this packet on, if they change with it; otherwise nil.
    public let newTags: [SoundFileMetadata.Tag: String]?
  }

  /// A position in the stream, from which bytes must be appended after a seek.
  public struct Place: Hashable, Sendable {
    /// The position in the stream, in bytes.
    public let offset: Int64
    /// The index of the packet that starts at this position.
    public let packet: Int
    /// The index of that packet's first frame; the first decoded frame of the stream is 0.
    public let firstFrame: Int64
    /// True if the position is an estimate, so that the packet found there can be a different one
    /// nearby.
    public let isEstimated: Bool
  }
}

extension SoundStream.Properties {
  /// Returns true if the headers of both values state the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.statedLayers == other.statedLayers
      && one.magicCookie == other.magicCookie && one.dataOffset == other.dataOffset
      && one.hertz == other.hertz && one.nominalBitrate == other.nominalBitrate
      && one.primingFrameCount == other.primingFrameCount
      && one.remainderFrameCount == other.remainderFrameCount
      && one.packetCount == other.packetCount && one.framesPerPacket == other.framesPerPacket
      && one.samples == other.samples
  }

  /// Adds the components that `==` compares to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(statedLayers)
    hasher.combine(magicCookie)
    hasher.combine(dataOffset)
  }
}
