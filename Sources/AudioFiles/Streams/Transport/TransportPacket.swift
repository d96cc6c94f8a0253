// SPDX-License-Identifier: Apache-2.0

/// A packet of an MPEG transport stream: 188 bytes for one of the streams in it.
///
/// Source: ISO/IEC 13818-1, 2.4.3.2 to 2.4.3.5.
struct TransportPacket: Hashable {
  /// The size of a packet in bytes.
  static let byteCount = 188
  /// The first byte of each packet.
  static let sync: UInt8 = 0x47

  /// The number of the stream, 0…8191.
  let stream: Int
  /// True if a section or a PES packet starts in the payload.
  let isStart: Bool
  /// True if a receiver found an error in the packet that it could not correct.
  let isDamaged: Bool
  /// True if the payload is scrambled.
  let isScrambled: Bool
  /// True if the counters of the stream restart here.
  let isDiscontinuous: Bool
  /// The continuity counter, 0…15.
  let counter: Int
  /// The payload; nil if the packet does not have one.
  let payload: ArraySlice<UInt8>?

  /// Reads a packet; nil if the first byte is not `sync`, or the adaptation field is longer than
  /// the packet.
  ///
  /// - Parameter bytes: 188 bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.byteCount, bytes.first == Self.sync else { return nil }
    let start = bytes.startIndex
    isDamaged = bytes[start + 1] & 0x80 != 0
    isStart = bytes[start + 1] & 0x40 != 0
    stream = Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
    isScrambled = bytes[start + 3] & 0xC0 != 0
    counter = Int(bytes[start + 3] & 0x0F)
    var rest = bytes.dropFirst(4)
    var isNew = false
    if bytes[start + 3] & 0x20 != 0 {
      guard let length = rest.popFirst(), Int(length) <= rest.count else { return nil }
      isNew = length > 0 && (rest.first ?? 0) & 0x80 != 0
      rest = rest.dropFirst(Int(length))
    }
    isDiscontinuous = isNew
    payload = bytes[start + 3] & 0x10 != 0 ? rest : nil
  }
}
