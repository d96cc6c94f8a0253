// SPDX-License-Identifier: Apache-2.0

/// Finds packets of MPEG-1 and MPEG-2 audio, and of AAC in ADTS, by their headers.
///
/// Tags (ID3, APE) at any position are skipped.
struct MPEGStreamParser: StreamParsing {
  private var window: ByteWindow
  private var framing: (any PacketFraming)?
  /// The encoder's tag in the first packet, and its position.
  private var encoderTag: MP3Tag?
  private var encoderTagOffset: Int64 = 0
  private var tagReader: ID3Reader?

  init(at offset: Int64) { window = ByteWindow(at: offset) }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    guard let framing = framing(of: beginning) else {
      return beginning.count < lookahead && !isWhole && beginning.first == 0xFF ? nil : false
    }
    guard let packet = framing.packet(at: beginning) else { return false }
    return isFollowed(packet, beginning, framing, isFinished: isWhole)
  }

  var endOffset: Int64 { window.endOffset }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    window.append(bytes)
    parse(&ledger)
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    tagReader = nil
    window.move(to: offset)
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    tagReader = nil
    window.clear()
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    parse(&ledger)
    ledger.strayByteCount += Int64(window.count)
    window.drop(window.count)
  }

  mutating func pass() -> Int64 {
    if let reader = tagReader {
      tagReader = nil
      window.drop(reader.leftByteCount)
    }
    return window.pass()
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    ledger.place(ofPacket: packet, contents: contentsOffset(packet))
  }

  /// The position of a packet from the encoder's table of contents.
  private func contentsOffset(_ packet: Int) -> Int64? {
    encoderTag?.contents.map { encoderTagOffset + $0.offset(ofPacket: packet) }
  }

  /// The index of the packet at the start of the window, from the same table.
  private var contentsPacket: Int? {
    encoderTag?.contents?.packet(at: window.offset - encoderTagOffset)
  }
}

extension MPEGStreamParser {
  /// The number of bytes that contain every header and every start of a tag.
  private static let lookahead = 32

  private mutating func parse(_ ledger: inout PacketLedger) {
    while let count = step(&ledger) { window.drop(count) }
  }

  /// Reads one packet, tag or stray byte; returns its size, or nil if more bytes are needed.
  private mutating func step(_ ledger: inout PacketLedger) -> Int64? {
    let rest = window.unread
    guard !rest.isEmpty else { return nil }
    if tagReader != nil { return readTag(rest, &ledger) }
    guard rest.count >= Self.lookahead || ledger.isFinished else { return nil }
    if let reader = ID3Reader(header: rest) {
      tagReader = reader
      return 0
    }
    if let count = Self.tagByteCount(rest) { return count }
    return (framing == nil ? begin(rest, &ledger) : proceed(rest, &ledger)).map(Int64.init)
  }

  private mutating func readTag(
    _ bytes: ArraySlice<UInt8>, _ ledger: inout PacketLedger
  ) -> Int64? {
    guard var reader = tagReader else { return nil }
    tagReader = nil
    let count = reader.append(bytes)
    if reader.leftByteCount > 0 {
      tagReader = reader
    } else {
      ledger.announce(reader.tags)
    }
    return Int64(count)
  }

  /// The size of an ID3v1 or APE tag that starts here, or of the available bytes of an ID3v2 tag;
  /// nil if none starts here.
  ///
  /// Sources: ID3 2.4.0, 3.1; ID3v1; APE tag 2.0.
  private static func tagByteCount(_ bytes: ArraySlice<UInt8>) -> Int64? {
    // Packets, the usual case, are not copied here.
    guard let first = bytes.first, "ITA".utf8.contains(first) else { return nil }
    if let reader = ID3Reader(header: bytes) { return reader.leftByteCount }
    let head = Array(bytes.prefix(lookahead))
    if head.starts(with: Array("TAG".utf8)) { return 128 }
    guard head.starts(with: Array("APETAGEX".utf8)), head.count == lookahead else { return nil }
    let size = head[12..<16].reversed().reduce(0) { $0 << 8 | Int64($1) }
    // The size does not include a header. A footer is not followed by its tag.
    return head[23] & 0x20 == 0 ? Int64(lookahead) : size + Int64(lookahead)
  }

  /// Looks for a first packet that is followed by another one.
  private mutating func begin(_ bytes: ArraySlice<UInt8>, _ ledger: inout PacketLedger) -> Int? {
    guard let found = Self.framing(of: bytes), let packet = found.packet(at: bytes) else {
      return stray(&ledger)
    }
    switch Self.isFollowed(packet, bytes, found, isFinished: ledger.isFinished) {
    case nil: return nil
    case false?: return stray(&ledger)
    case true?:
      framing = found
      return beginFormat(packet, bytes, &ledger)
    }
  }

  /// Reads the next packet, if the bytes are one.
  private mutating func proceed(_ bytes: ArraySlice<UInt8>, _ ledger: inout PacketLedger) -> Int? {
    guard bytes.first == 0xFF, let framing, let packet = framing.packet(at: bytes) else {
      ledger.isDiscontinuous = true
      return ledger.takesOtherFormats ? begin(bytes, &ledger) : stray(&ledger)
    }
    // After a gap, two consecutive packets are required.
    let isSure =
      ledger.isDiscontinuous
      ? Self.isFollowed(packet, bytes, framing, isFinished: ledger.isFinished) : true
    guard let isSure else { return nil }
    guard isSure else { return stray(&ledger) }
    guard bytes.count >= packet.byteCount else {
      if ledger.isFinished { ledger.isDiscontinuous = true }
      return ledger.isFinished ? stray(&ledger) : nil
    }
    return take(packet, bytes, &ledger)
  }

  private static func framing(of bytes: ArraySlice<UInt8>) -> (any PacketFraming)? {
    guard bytes.first == 0xFF else { return nil }
    return ADTSFraming.beginning(at: bytes) ?? MPEGAudioFraming.beginning(at: bytes)
  }

  private func stray(_ ledger: inout PacketLedger) -> Int {
    ledger.strayByteCount += 1
    return 1
  }

  /// True if another packet, a tag or the end follows; nil if that is not known yet.
  private static func isFollowed(
    _ packet: FramedPacket, _ bytes: ArraySlice<UInt8>, _ framing: any PacketFraming,
    isFinished: Bool
  ) -> Bool? {
    let next = bytes.dropFirst(packet.byteCount)
    guard next.count < lookahead else {
      return framing.packet(at: next) != nil || tagByteCount(next) != nil
    }
    guard isFinished else { return nil }
    return bytes.count == packet.byteCount || framing.packet(at: next) != nil
      || tagByteCount(next) != nil
  }
}

extension MPEGStreamParser {
  /// Reads the first packet of a format.
  ///
  /// An encoder's tag is not a packet.
  private mutating func beginFormat(
    _ packet: FramedPacket, _ bytes: ArraySlice<UInt8>, _ ledger: inout PacketLedger
  ) -> Int {
    let isFirst = ledger.properties == nil
    encoderTag = nil
    encoderTagOffset = window.offset
    if isFirst, let framing = framing as? MPEGAudioFraming {
      encoderTag = MP3Tag(Array(bytes.prefix(packet.byteCount)), framing.first)
    }
    let start = window.offset + (encoderTag == nil ? 0 : Int64(packet.byteCount))
    if let properties = properties(packet, dataOffset: start) { ledger.begin(properties) }
    return encoderTag == nil ? take(packet, bytes, &ledger) : packet.byteCount
  }

  private func take(
    _ packet: FramedPacket, _ bytes: ArraySlice<UInt8>, _ ledger: inout PacketLedger
  ) -> Int {
    let content = bytes.prefix(packet.byteCount).dropFirst(packet.headerByteCount)
    if ledger.needsPlace { ledger.locate(at: window.offset, contents: contentsPacket) }
    ledger.add(
      FoundPacket(
        offset: window.offset, byteCount: packet.byteCount,
        headerByteCount: packet.headerByteCount, bytes: content, frameCount: packet.frameCount))
    return packet.byteCount
  }

  private func properties(_ packet: FramedPacket, dataOffset: Int64) -> SoundStream.Properties? {
    switch framing {
    case let framing as ADTSFraming:
      let layer = SoundLayer(
        codec: .aac, hertz: packet.hertz, channelCount: framing.first.channelCount,
        framesPerPacket: packet.frameCount)
      return SoundStream.Properties(
        kind: .adts, layers: [layer], magicCookie: framing.first.configuration,
        dataOffset: dataOffset, framesPerPacket: packet.frameCount)
    case let framing as MPEGAudioFraming:
      let layer = SoundLayer(
        codec: framing.first.codec, hertz: packet.hertz, channelCount: framing.first.channelCount,
        framesPerPacket: packet.frameCount)
      return SoundStream.Properties(
        kind: .mpegAudio, layers: [layer], dataOffset: dataOffset,
        nominalBitrate: nominalBitrate(framing.first),
        primingFrameCount: encoderTag?.gapless?.priming ?? 0,
        remainderFrameCount: encoderTag?.gapless?.remainder ?? 0,
        packetCount: encoderTag?.packetCount, framesPerPacket: packet.frameCount)
    default: return nil
    }
  }

  /// The bitrate from the numbers in the encoder's tag, otherwise from the first header.
  private func nominalBitrate(_ header: MPEGAudioHeader) -> Int? {
    guard let packets = encoderTag?.packetCount, let bytes = encoderTag?.byteCount, packets > 0
    else { return header.bitrate }
    let bits = bytes.multipliedReportingOverflow(by: 8 * header.hertz)
    return bits.overflow ? nil : bits.partialValue / (packets * header.frameCount)
  }
}
