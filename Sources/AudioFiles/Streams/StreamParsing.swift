// SPDX-License-Identifier: Apache-2.0

/// Finds packets in the bytes of one container, or of a family of containers.
///
/// A parser is a value. It receives bytes in pieces of any size and adds packets to a ledger, which
/// all parsers of a stream share. `SoundStream` sets the ledger's flags before it calls `move`,
/// `noteDiscontinuity` and `finish`.
///
/// Numbers in the bytes are not trusted: a parser checks its arithmetic, stores at most 64 MiB, and
/// makes progress with each byte.
protocol StreamParsing: Sendable {
  /// Determines from the first bytes, without ID3 tags, if they are those of the container.
  ///
  /// - Parameters:
  ///   - beginning: At least one byte.
  ///   - isWhole: True if no more bytes follow.
  /// - Returns: Nil if more bytes are needed, at most 16 KiB.
  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool?

  /// Creates a parser of bytes that start at a position of the stream.
  init(at offset: Int64)

  /// The position after the last appended byte.
  var endOffset: Int64 { get }

  /// The position of the index, if it is after the sound and has not been received; otherwise nil.
  var indexOffset: Int64? { get }

  /// True if packets cannot be found while the bytes arrive, because the index is after the sound,
  /// or not supported.
  var needsWholeFile: Bool { get }

  /// Appends the bytes at `endOffset`, and adds the packets that are complete.
  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger)

  /// Drops incomplete data and continues with the bytes at another position.
  ///
  /// Any packet can be there: call `PacketLedger.locate` before adding it, unless the ledger's
  /// estimate is correct.
  mutating func move(to offset: Int64, _ ledger: inout PacketLedger)

  /// Drops incomplete data, because an unknown number of bytes is missing here.
  ///
  /// The next bytes can start anywhere, for example within a packet or at new headers.
  mutating func noteDiscontinuity(_ ledger: inout PacketLedger)

  /// Adds the packets that are complete because no more bytes follow.
  mutating func finish(_ ledger: inout PacketLedger)

  /// Skips the rest of a tag without receiving it; returns the position of the next byte that is
  /// needed.
  mutating func pass() -> Int64

  /// The number of packets in the whole stream, and true if it is an estimate; nil if it is
  /// unknown.
  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)?

  /// The number of frames of sound in the whole stream, and true if it is an estimate; nil if it is
  /// unknown.
  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)?

  /// The position from which to continue with a packet, 0 or more.
  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place?

  /// The position from which to continue with a decoded frame, 0 or more.
  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place?
}

extension StreamParsing {
  var indexOffset: Int64? { nil }
  var needsWholeFile: Bool { false }

  mutating func pass() -> Int64 { endOffset }

  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)? {
    ledger.packetCount
  }

  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)? {
    ledger.frameCount(of: packetCount(ledger))
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    ledger.place(ofPacket: packet)
  }

  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let length = ledger.properties?.framesPerPacket, length > 0 else { return nil }
    return place(ofPacket: Int(clamping: frame / Int64(length)), ledger)
  }

  /// Compares bytes with a signature in ASCII; nil if they end within it.
  static func matches(
    _ signature: String, in bytes: ArraySlice<UInt8>, at place: Int = 0
  ) -> Bool? {
    let signature = Array(signature.utf8)
    let found = bytes.dropFirst(place).prefix(signature.count)
    guard found.elementsEqual(signature.prefix(found.count)) else { return false }
    return found.count == signature.count ? true : nil
  }
}
