// SPDX-License-Identifier: Apache-2.0

/// Finds packets in the bytes of one container, or of a family of containers.
///
/// A parser is a value. It gets bytes in pieces of any size and adds packets to a ledger, which is
/// the same for all parsers of one stream. `SoundStream` has set the ledger's flags before it calls
/// `move`, `noteDiscontinuity` and `finish`.
///
/// All numbers in the bytes are untrusted: a parser checks their arithmetic, keeps at most 64 MiB,
/// and makes progress with each byte.
protocol StreamParsing: Sendable {
  /// Decides by the first bytes, without ID3 tags, if they belong to the container.
  ///
  /// - Parameters:
  ///   - beginning: at least one byte.
  ///   - isWhole: true if no more bytes follow.
  /// - Returns: nil if more bytes are needed; at most 16 KiB may be requested.
  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool?

  /// Creates a parser of bytes that begin at an offset of the stream.
  init(at offset: Int64)

  /// The position behind the bytes that were appended, in bytes.
  var endOffset: Int64 { get }

  /// The position of the index, if it is behind the sound and was not received yet; else nil.
  var indexOffset: Int64? { get }

  /// True if packets cannot be found on the way: the index is behind the sound, or not supported.
  var needsWholeFile: Bool { get }

  /// Appends the bytes at `endOffset`, and adds the packets that are complete.
  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger)

  /// Drops incomplete data and continues with the bytes at another offset.
  ///
  /// The packet there may be any: call `PacketLedger.locate` before adding it, unless the ledger's
  /// own estimate is right.
  mutating func move(to offset: Int64, _ ledger: inout PacketLedger)

  /// Drops incomplete data, since an unknown number of bytes is missing here.
  ///
  /// The next bytes may be anything from the middle of a packet to new headers.
  mutating func noteDiscontinuity(_ ledger: inout PacketLedger)

  /// Adds the packets that are complete because no more bytes follow.
  mutating func finish(_ ledger: inout PacketLedger)

  /// Skips the rest of a tag unseen; returns the position of the byte that is needed next.
  mutating func pass() -> Int64

  /// The number of packets in the whole stream, and whether it is an estimate.
  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)?

  /// The number of frames of sound in the whole stream, and whether it is an estimate.
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
