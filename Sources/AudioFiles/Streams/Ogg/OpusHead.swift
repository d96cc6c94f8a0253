// SPDX-License-Identifier: Apache-2.0

/// The identification header of an Opus stream.
///
/// Source: RFC 7845, section 5.1.
struct OpusHead: Hashable {
  /// Frames per second of all decoded sound.
  static let hertz = 48_000
  static let mark = Array("OpusHead".utf8)

  let channelCount: Int
  /// Decoded frames before the sound.
  let preSkip: Int
  /// The bytes of the header.
  let bytes: [UInt8]

  /// Reads a header; nil if it is damaged, or has another major version.
  init?(_ packet: [UInt8]) {
    let bytes = packet[...]
    guard bytes.count >= 19, bytes.starts(with: Self.mark), bytes[8] < 16, bytes[9] > 0 else {
      return nil
    }
    channelCount = Int(bytes[9])
    preSkip = Int(bytes.little(10, 2))
    let count = bytes[18] == 0 ? 19 : 21 + channelCount
    guard bytes.count >= count, bytes[18] != 0 || channelCount <= 2 else { return nil }
    self.bytes = Array(bytes.prefix(count))
  }

  /// The number of frames of a packet at 48 kHz, at most 5760; nil if it is damaged.
  ///
  /// Source: RFC 6716, section 3.1.
  static func frameCount(of packet: ArraySlice<UInt8>) -> Int? {
    guard let first = packet.first else { return nil }
    let count: Int
    switch first & 3 {
    case 0: count = 1
    case 1, 2: count = 2
    default:
      guard packet.count > 1 else { return nil }
      count = Int(packet[packet.startIndex + 1] & 63)
    }
    let frames = count * frameCount(ofConfiguration: Int(first >> 3))
    return (1...5760).contains(frames) ? frames : nil
  }

  /// The number of sound frames of each Opus frame in a packet: 2.5 to 60 ms.
  private static func frameCount(ofConfiguration number: Int) -> Int {
    switch number {
    case 0..<12: [480, 960, 1920, 2880][number & 3]
    case 12..<16: [480, 960][number & 1]
    default: 120 << (number & 3)
    }
  }
}
