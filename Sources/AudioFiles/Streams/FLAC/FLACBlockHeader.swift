// SPDX-License-Identifier: Apache-2.0

/// The header of a metadata block of FLAC.
///
/// Source: RFC 9639, section 8.1.
struct FLACBlockHeader {
  /// The number of bytes of a header.
  static let byteCount = 4

  /// The number of the block's type: 0…127.
  let kind: UInt8
  /// The number of bytes of the content: 0…2²⁴ − 1.
  let contentByteCount: Int
  /// True for the block before the frames.
  let isLast: Bool

  /// Reads a header; nil if bytes are missing.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.number(0, 1), let size = bytes.number(1, 3) else { return nil }
    (kind, contentByteCount, isLast) = (UInt8(first & 127), size, first >> 7 == 1)
  }
}
