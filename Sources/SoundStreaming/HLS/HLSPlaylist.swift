// SPDX-License-Identifier: Apache-2.0

/// A playlist of HTTP Live Streaming.
///
/// Source: RFC 8216, 4.
package enum HLSPlaylist: Hashable, Sendable {
  /// Versions of the same content.
  case master(HLSMaster)
  /// Segments.
  case media(HLSMedia)

  /// A reason why a playlist cannot be used.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    /// The line, from 1; 0 for the whole playlist.
    package let line: Int
    /// A sentence in lower case without a stop.
    package let reason: String

    package var description: String { line == 0 ? reason : "line \(line): \(reason)" }
  }

  /// The largest playlist in bytes.
  package static let byteLimit = 8 << 20
  /// The most segments or versions of a playlist.
  package static let entryLimit = 100_000

  /// True if a text is a playlist of HTTP Live Streaming and not a list of addresses.
  ///
  /// - Parameter bytes: the beginning of the text.
  /// - Returns: true if a tag of HTTP Live Streaming is in its first 4096 bytes.
  package static func isOne(_ bytes: some Collection<UInt8>) -> Bool {
    String(decoding: bytes.prefix(4096), as: UTF8.self).contains("#EXT-X-")
  }

  /// Reads a playlist.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - address: the address of the playlist, against which the names in it are resolved.
  /// - Throws: `Fault` for a list that is not one of HLS, is too long, or names anything but web
  ///   addresses.
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
