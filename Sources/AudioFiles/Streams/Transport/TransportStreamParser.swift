// SPDX-License-Identifier: Apache-2.0

/// Finds packets of AAC (ADTS) and MPEG audio in an MPEG-2 transport stream.
///
/// The position of a packet is that of the transport packet in which its bytes arrived. Later
/// positions are unknown, because other streams share the bytes.
struct TransportStreamParser: StreamParsing {
  private var transport = TransportStream()
  private var inner = MPEGStreamParser(at: 0)
  private var innerLedger = PacketLedger()
  private var innerProperties: SoundStream.Properties?
  private(set) var endOffset: Int64
  /// The position of the transport packet with the most recent bytes.
  private var offset: Int64
  private var hasSound = false

  init(at offset: Int64) {
    (endOffset, self.offset) = (offset, offset)
    transport.append([UInt8](), at: offset)
    _ = transport.takePieces()
    innerLedger.takesOtherFormats = true
    innerLedger.keepsPlaces = false
  }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    TransportStream.begins(beginning)
      ?? (isWhole ? beginning.count >= TransportPacket.byteCount : nil)
  }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    endOffset += Int64(bytes.count)
    transport.append(bytes)
    take(&ledger)
    if !hasSound { ledger.strayByteCount += Int64(bytes.count) }
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    (endOffset, self.offset) = (offset, offset)
    transport.append([UInt8](), at: offset)
    take(&ledger)
    ledger.locate(packet: ledger.nextPacket, frame: ledger.nextFrame, isEstimated: true)
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    transport.noteDiscontinuity()
    take(&ledger)
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    transport.finish()
    take(&ledger)
    innerLedger.isFinished = true
    inner.finish(&innerLedger)
    hand(to: &ledger)
  }

  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)? {
    ledger.isFinished ? ledger.packetCount : nil
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    ledger.properties == nil || packet > 0 ? nil : ledger.place(ofPacket: 0)
  }

  /// Passes on the parts that were found.
  private mutating func take(_ ledger: inout PacketLedger) {
    for piece in transport.takePieces() {
      switch piece {
      case .sound(let bytes, let place):
        (hasSound, offset) = (true, place)
        inner.append(Array(bytes), &innerLedger)
        hand(to: &ledger)
      case .tag(let bytes):
        guard var reader = ID3Reader(header: bytes[...]) else { continue }
        _ = reader.append(bytes[...])
        ledger.announce(reader.tags)
      case .loss:
        innerLedger.noteDiscontinuity()
        inner.noteDiscontinuity(&innerLedger)
      }
    }
  }

  private mutating func hand(to ledger: inout PacketLedger) {
    innerLedger.keepsBytes = ledger.keepsBytes
    for packet in innerLedger.take() {
      if let new = packet.newProperties ?? (innerProperties == nil ? innerLedger.properties : nil) {
        innerProperties = new
        ledger.begin(Self.wrapped(new, at: offset))
      }
      if packet.isDiscontinuous { ledger.isDiscontinuous = true }
      if let tags = packet.newTags { ledger.announce(tags) }
      ledger.add(
        FoundPacket(
          offset: offset, byteCount: packet.byteCount, headerByteCount: packet.headerByteCount,
          bytes: packet.bytes[...], frameCount: packet.frameCount))
    }
  }

  private static func wrapped(
    _ properties: SoundStream.Properties, at offset: Int64
  ) -> SoundStream.Properties {
    SoundStream.Properties(
      kind: .transport, layers: properties.statedLayers, magicCookie: properties.magicCookie,
      dataOffset: offset, hertz: properties.hertz, nominalBitrate: properties.nominalBitrate,
      framesPerPacket: properties.framesPerPacket)
  }
}
