// SPDX-License-Identifier: Apache-2.0

/// The first block of a FLAC stream, which describes its frames (STREAMINFO).
///
/// Source: RFC 9639, section 8.2.
struct FLACStreamBlock: Hashable {
  static let byteCount = 34

  /// The minimum number of sound frames in a FLAC frame other than the last, 16…65,535.
  let smallestBlock: Int
  let largestBlock: Int
  let hertz: Int
  let channelCount: Int
  /// The bits of a sample, 4…32.
  let bits: Int
  /// The number of sound frames in the stream; nil if it is unknown.
  let frameCount: Int64?
  /// The bytes of the block, which a decoder needs.
  let bytes: [UInt8]

  /// Reads a block; nil if it is damaged.
  init?(_ content: ArraySlice<UInt8>) {
    guard content.count >= Self.byteCount, let smallest = content.number(0, 2),
      let largest = content.number(2, 2)
    else { return nil }
    let shape = content.dropFirst(10).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    (smallestBlock, largestBlock) = (smallest, largest)
    hertz = Int(shape >> 44)
    channelCount = Int(shape >> 41 & 7) + 1
    bits = Int(shape >> 36 & 31) + 1
    let count = Int64(shape & 0xF_FFFF_FFFF)
    frameCount = count == 0 ? nil : count
    bytes = Array(content.prefix(Self.byteCount))
    guard largest >= 16, smallest <= largest, hertz > 0, bits >= 4 else { return nil }
  }

  /// The number of sound frames in a FLAC frame if all but the last have the same; otherwise nil.
  var fixedBlock: Int? { smallestBlock == largestBlock ? largestBlock : nil }

  /// The maximum number of bytes of a frame: uncompressed samples, and headers.
  var mostFrameBytes: Int {
    let sample = (bits + 8) / 8
    return largestBlock * channelCount * sample + 64 * (channelCount + 1)
  }
}
