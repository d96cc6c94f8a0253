// SPDX-License-Identifier: Apache-2.0

/// An ID3v1, ID3v2 or APE tag within a stream.
///
/// Sources: ID3v1; ID3 2.4.0, section 3.1; APE tag 2.0.
enum TrailingTag {
  /// The maximum size of a tag's header or footer in bytes.
  static let headerByteCount = 32

  /// True if a tag starts here, by its first bytes.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, "TAI".utf8.contains(first) else { return false }
    return ["TAG", "APETAGEX", "ID3"].contains { bytes.starts(with: $0.utf8) }
  }

  /// The number of bytes of the tag that starts here; nil if more bytes are needed.
  static func byteCount(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if let reader = ID3Reader(header: bytes) { return reader.leftByteCount }
    if bytes.starts(with: "TAG".utf8) { return 128 }
    guard bytes.count >= headerByteCount else { return nil }
    // The size does not include a header. A footer is not followed by its tag.
    let isHeader = bytes[bytes.startIndex + 23] & 0x20 != 0
    return Int64(headerByteCount) + (isHeader ? Int64(bytes.little(12, 4)) : 0)
  }
}
