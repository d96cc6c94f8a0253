// SPDX-License-Identifier: Apache-2.0

/// A playlist of HTTP Live Streaming.
///
/// Source: RFC 8216, 4.
package enum HLSPlaylist: Hashable, Sendable {
  /// A list of versions of the same content.
  case master(HLSMaster)
  /// A list of segments.
  case media(HLSMedia)

  /// The reason why a playlist cannot be used.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    /// The number of the line, from 1; 0 for the whole playlist.
    package let line: Int
    /// The message, in lower case without a full stop.
    package let reason: String

    package var description: String { line == 0 ? reason : "line \(line): \(reason)" }
  }

  /// The maximum size of a playlist in bytes.
  package static let byteLimit = 8 << 20
  /// The maximum number of segments or versions in a playlist.
  package static let entryLimit = 100_000

  /// Returns true if a text is an HLS playlist instead of a list of addresses.
  ///
  /// - Parameter bytes: The start of the text.
  /// - Returns: True if the first 4096 bytes contain a tag of HTTP Live Streaming.
  package static func isOne(_ bytes: some Collection<UInt8>) -> Bool {
    String(decoding: bytes.prefix(4096), as: UTF8.self).contains("#EXT-X-")
  }

  /// Reads a playlist.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - address: The address of the playlist, relative to which the names in it are resolved.
  /// - Throws: `Fault` if the text is not an HLS playlist, is too long, or contains names that are
  ///   not web addresses.
  /// - Complexity: O(n) in the bytes.
  package init(_ bytes: [UInt8], address: String) throws(Fault) {
    guard bytes.count <= Self.byteLimit else {
      throw Fault(line: 0, reason: "it is longer than \(Self.byteLimit >> 20) MiB")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes[(bytes.starts(with: mark) ? mark.count : 0)...]
    guard text.starts(with: "#EXTM3U".utf8) else {
      throw Fault(line: 1, reason: "an HLS playlist begins with #EXTM3U")
    }
    var reader = HLSReader(address: address)
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
      try reader.take(line)
    }
    self = try reader.finish()
  }
}
