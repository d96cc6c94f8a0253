// SPDX-License-Identifier: Apache-2.0

/// Removes the headers of PES packets from one stream of a transport stream.
///
/// A header is stored until it is complete, at most 264 bytes.
///
/// Source: ISO/IEC 13818-1, 2.4.3.6 and 2.4.3.7.
struct ElementaryAssembly: Sendable {
  /// A part of the elementary stream.
  struct Part: Hashable {
    /// True if a PES packet starts with these bytes.
    var isStart = false
    /// The presentation time, in 1/90,000 s modulo 2³³; nil if it is not stated here.
    var time: Int64?
    /// The bytes, possibly none.
    var bytes: ArraySlice<UInt8> = []
  }

  /// An incomplete header.
  private var header: [UInt8]?
  /// The remaining bytes of the PES packet; nil if it does not state its length.
  private var left: Int?
  /// True if a PES packet has started.
  private(set) var hasBegun = false

  /// Forgets the current PES packet.
  mutating func reset() { self = ElementaryAssembly() }

  /// Continues with a packet of unknown length after a loss.
  mutating func noteLoss() {
    header = nil
    left = nil
  }

  /// Adds the payload of a transport packet.
  ///
  /// - Returns: Nil if no bytes are ready.
  mutating func append(_ payload: ArraySlice<UInt8>, isStart: Bool) -> Part? {
    if isStart {
      (header, left, hasBegun) = ([], nil, false)
    }
    guard var bytes = header else { return hasBegun ? Part(bytes: limited(payload)) : nil }
    bytes += payload
    guard bytes.count >= 9 else {
      header = bytes
      return nil
    }
    guard bytes[0] == 0, bytes[1] == 0, bytes[2] == 1, bytes[6] & 0xC0 == 0x80 else {
      header = nil
      return nil
    }
    let count = 9 + Int(bytes[8])
    guard bytes.count >= count else {
      header = bytes
      return nil
    }
    return begin(bytes, headerByteCount: count)
  }

  private mutating func begin(_ bytes: [UInt8], headerByteCount count: Int) -> Part {
    let length = Int(bytes[4]) << 8 | Int(bytes[5])
    header = nil
    hasBegun = true
    left = length == 0 ? nil : max(0, length - (count - 6))
    let time = bytes[7] & 0x80 != 0 && count >= 14 ? Self.time(bytes[9..<14]) : nil
    return Part(isStart: true, time: time, bytes: limited(bytes[count...]))
  }

  private mutating func limited(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let count = left else { return bytes }
    let taken = bytes.prefix(count)
    left = count - taken.count
    return taken
  }

  /// The 33 bits of a time, in five bytes between marker bits.
  private static func time(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let five = bytes.map { Int64($0) }
    return (five[0] >> 1 & 7) << 30 | five[1] << 22 | (five[2] >> 1) << 15 | five[3] << 7
      | five[4] >> 1
  }
}
