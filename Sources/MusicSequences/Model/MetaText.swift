// SPDX-License-Identifier: Apache-2.0

/// The text of a meta event, in the encoding that its bytes suggest.
///
/// The standard says ASCII; files hold UTF-8, Latin-1 and, in karaoke files of Japan, Shift-JIS,
/// and none names its encoding. Bytes that are valid UTF-8 are taken for UTF-8; otherwise for
/// Shift-JIS where all of them pair up as its characters and most of the pairs are kana or common
/// kanji; otherwise for Latin-1.
///
/// Source: Standard MIDI Files 1.0 (RP-001), text events; SMF Lyric Events (RP-026).
public struct MetaText: Hashable, Sendable {
  /// The bytes of the event.
  public let bytes: [UInt8]
  /// The encoding the bytes are taken for.
  public let encoding: Encoding

  /// Encodings that are told apart.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    case ascii
    case utf8
    case latin1
    case shiftJIS
  }

  /// Finds the encoding of some bytes.
  ///
  /// - Complexity: O(n).
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.allSatisfy({ $0 < 0x80 }) {
      encoding = .ascii
    } else if String(validating: bytes, as: UTF8.self) != nil {
      encoding = .utf8
    } else {
      encoding = ShiftJIS(bytes).isPlausible ? .shiftJIS : .latin1
    }
  }

  /// The text; of Shift-JIS only ASCII and kana are decoded, other characters become 〓.
  public var string: String {
    switch encoding {
    case .ascii, .utf8: String(decoding: bytes, as: UTF8.self)
    case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .shiftJIS: ShiftJIS(bytes).string
    }
  }
}
