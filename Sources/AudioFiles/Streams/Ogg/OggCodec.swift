// SPDX-License-Identifier: Apache-2.0

/// The codec of a logical Ogg stream, as its headers describe it.
///
/// Sources: Vorbis I specification, section 4.2 and appendix A; RFC 7845; RFC 9639, section 10.1.
enum OggCodec: Sendable {
  case vorbis(VorbisTiming.Head, VorbisTiming?, cookie: [UInt8])
  case opus(OpusHead)
  case flac(FLACStreamBlock)

  /// Reads the first packet of a logical stream; nil if its codec is not supported.
  init?(_ packet: [UInt8]) {
    if let head = VorbisTiming.Head(packet) {
      self = .vorbis(head, nil, cookie: packet)
    } else if let head = OpusHead(packet) {
      self = .opus(head)
    } else if let stream = Self.flacStream(packet) {
      self = .flac(stream)
    } else {
      return nil
    }
  }

  /// The STREAMINFO block in the first packet of FLAC: a signature, version 1, the number of
  /// headers, a FLAC signature, and the block.
  private static func flacStream(_ packet: [UInt8]) -> FLACStreamBlock? {
    guard packet.starts(with: [0x7F] + Array("FLAC".utf8) + [1]), packet.count >= 17,
      packet[9..<13].elementsEqual("fLaC".utf8)
    else { return nil }
    return FLACStreamBlock(packet[17...])
  }

  /// The purpose of a packet after the first one.
  enum Use {
    /// Comments, after a number of bytes.
    case comments(Int)
    /// A header that is needed completely.
    case header
    /// Sound.
    case sound
    /// Another header.
    case other
  }

  /// The purpose of a packet, from its first bytes.
  ///
  /// - Parameters:
  ///   - beginning: The packet's bytes in the page in which it starts.
  ///   - isHeading: True before the first packet of sound.
  /// - Returns: The purpose.
  func use(of beginning: ArraySlice<UInt8>, isHeading: Bool) -> Use {
    switch self {
    case .vorbis:
      guard beginning.first.map({ $0 & 1 == 1 }) ?? false else { return .sound }
      if beginning.starts(with: [3] + Array("vorbis".utf8)) { return .comments(7) }
      return isHeading && beginning.starts(with: [5] + Array("vorbis".utf8)) ? .header : .other
    case .opus:
      return isHeading && beginning.starts(with: "OpusTags".utf8) ? .comments(8) : .sound
    case .flac:
      guard beginning.first != 0xFF else { return .sound }
      return beginning.first.map { $0 & 0x7F == 4 } ?? false ? .comments(4) : .other
    }
  }

  /// Reads a header that is needed completely: the setup header of Vorbis.
  mutating func take(header packet: [UInt8]) {
    guard case .vorbis(let head, _, let first) = self,
      let setup = VorbisSetup(packet, channelCount: head.channelCount)
    else { return }
    self = .vorbis(head, VorbisTiming(head, setup), cookie: Self.cookie(first, setup: packet))
  }

  /// The headers of Vorbis in the form that FFmpeg's decoder needs, with sizes as in Matroska.
  private static func cookie(_ head: [UInt8], setup: [UInt8]) -> [UInt8] {
    // An empty header of comments.
    let comments = [3] + Array("vorbis".utf8) + Array(repeating: UInt8(0), count: 8) + [1]
    var sizes: [UInt8] = []
    for size in [head.count, comments.count] {
      sizes += Array(repeating: 255, count: size / 255) + [UInt8(size % 255)]
    }
    return [2] + sizes + head + comments + setup
  }

  /// True if packets of sound can be decoded.
  var isComplete: Bool {
    if case .vorbis(_, nil, _) = self { false } else { true }
  }

  /// The number of frames of a packet that follows the previous one; nil if it is damaged.
  mutating func frameCount(of packet: ArraySlice<UInt8>) -> Int? {
    switch self {
    case .vorbis(let head, var timing, let cookie):
      let count = timing?.frameCount(of: packet)
      self = .vorbis(head, timing, cookie: cookie)
      return count
    case .opus: return OpusHead.frameCount(of: packet)
    case .flac(let stream):
      guard let header = FLACFrameHeader(packet), header.belongs(to: stream) else { return nil }
      return header.blockSize
    }
  }

  /// Resets the timing, because packets are missing.
  mutating func reset() {
    guard case .vorbis(let head, var timing, let cookie) = self else { return }
    timing?.reset()
    self = .vorbis(head, timing, cookie: cookie)
  }

  /// Frames per second.
  var hertz: Int {
    switch self {
    case .vorbis(let head, _, _): head.hertz
    case .opus: OpusHead.hertz
    case .flac(let stream): stream.hertz
    }
  }

  /// True if frames before position 0 are not sound.
  var isCutAtStart: Bool {
    if case .vorbis = self { true } else { false }
  }

  /// True if frames after the position of the last page are not sound.
  var isCutAtEnd: Bool {
    if case .flac = self { false } else { true }
  }

  /// The number of decoded frames before the sound.
  var primingFrameCount: Int {
    if case .opus(let head) = self { head.preSkip } else { 0 }
  }

  /// The properties of the stream.
  ///
  /// - Parameters:
  ///   - dataOffset: The position of the first page with sound.
  ///   - framesPerPacket: The number of frames of the first packet.
  /// - Returns: The properties.
  func properties(dataOffset: Int64, framesPerPacket: Int) -> SoundStream.Properties {
    let (codec, channelCount, cookie, bitrate): (SoundCodec, Int, [UInt8], Int?)
    var length = 0
    switch self {
    case .vorbis(let head, _, let bytes):
      (codec, channelCount) = (.vorbis, head.channelCount)
      (cookie, bitrate) = (bytes, head.nominalBitrate)
    case .opus(let head):
      (codec, channelCount, cookie, bitrate) = (.opus, head.channelCount, head.bytes, nil)
      length = framesPerPacket
    case .flac(let stream):
      (codec, channelCount, cookie, bitrate) = (.flac, stream.channelCount, stream.bytes, nil)
      length = stream.fixedBlock ?? 0
    }
    let layer = SoundLayer(
      codec: codec, hertz: hertz, channelCount: channelCount, framesPerPacket: length)
    return SoundStream.Properties(
      kind: .ogg, layers: [layer], magicCookie: cookie, dataOffset: dataOffset,
      nominalBitrate: bitrate, primingFrameCount: primingFrameCount, framesPerPacket: length)
  }
}
