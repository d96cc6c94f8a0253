// SPDX-License-Identifier: Apache-2.0

/// The durations of Vorbis packets, from the sizes of their blocks.
///
/// Half of each block overlaps with the next one. A packet produces the frames from the middle of
/// the previous block to the middle of this one; the first packet does not produce any.
///
/// Source: Vorbis I specification, sections 4.2.2 and 4.3.8.
struct VorbisTiming {
  /// The identification header.
  struct Head: Hashable {
    let channelCount: Int
    let hertz: Int
    /// Bits per second; nil if the encoder does not state them.
    let nominalBitrate: Int?
    /// The number of frames of a short and of a long block, 64…8192.
    fileprivate let blockSizes: [Int]

    static let mark = [1] + Array("vorbis".utf8)

    /// Reads an identification header; nil if it is damaged, or has another version.
    init?(_ packet: [UInt8]) {
      let bytes = packet[...]
      guard bytes.count >= 30, bytes.starts(with: Self.mark), bytes.little(7, 4) == 0,
        bytes[29] & 1 == 1
      else { return nil }
      channelCount = Int(bytes[11])
      hertz = Int(bytes.little(12, 4))
      let bitrate = Int32(truncatingIfNeeded: bytes.little(20, 4))
      nominalBitrate = bitrate > 0 ? Int(bitrate) : nil
      blockSizes = [1 << Int(bytes[28] & 15), 1 << Int(bytes[28] >> 4)]
      guard channelCount > 0, hertz > 0, blockSizes[0] >= 64, blockSizes[1] <= 8192,
        blockSizes[0] <= blockSizes[1]
      else { return nil }
    }
  }

  /// The maximum number of frames of a packet.
  static let mostFrames = 4096

  private let blockSizes: [Int]
  private let isLong: [Bool]
  private let modeBits: Int
  /// The block size of the previous packet; nil at the start.
  private var last: Int?

  init(_ head: Head, _ setup: VorbisSetup) {
    (blockSizes, isLong) = (head.blockSizes, setup.isLong)
    modeBits = Int.bitWidth - (setup.isLong.count - 1).leadingZeroBitCount
  }

  /// The number of frames of a packet that follows the previous one; nil if it does not contain
  /// sound.
  mutating func frameCount(of packet: ArraySlice<UInt8>) -> Int? {
    guard let first = packet.first, first & 1 == 0 else { return nil }
    let mode = Int(first >> 1) & ((1 << modeBits) - 1)
    guard mode < isLong.count else { return nil }
    let size = blockSizes[isLong[mode] ? 1 : 0]
    defer { last = size }
    return last.map { ($0 + size) / 4 } ?? 0
  }

  /// Forgets the previous packet, so that the next one does not produce frames.
  mutating func reset() { last = nil }
}
