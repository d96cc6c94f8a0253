// SPDX-License-Identifier: Apache-2.0

/// The text of a meta event, whose encoding is detected from the bytes.
///
/// The standard specifies ASCII, but files use many encodings and few declare which. A byte order
/// mark identifies UTF-8 or UTF-16, and bytes that are valid UTF-8 are decoded as UTF-8. All others
/// are decoded as Windows-1252, because one text is too short for a better guess. `TextDecoder`
/// (module `Downbeat`) examines all texts of a file and supports more encodings.
///
/// Source: Standard MIDI Files 1.0 (RP-001), text events; SMF Lyric Events (RP-026); Unicode 15,
/// chapter 23.8 (byte order mark).
public struct MetaText: Hashable, Sendable {
  /// The bytes of the event.
  public let bytes: [UInt8]
  /// The encoding with which `string` decodes the bytes.
  public let encoding: Encoding

  /// The encodings that can be recognised from the bytes, and the fallback for all others.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    /// All bytes are below 0x80.
    case ascii
    /// The bytes are valid UTF-8, or begin with the UTF-8 byte order mark EF BB BF.
    case utf8
    /// An even number of bytes that begin with a byte order mark, FF FE or FE FF.
    case utf16
    /// All other bytes; the fallback.
    case windows1252
  }

  /// Creates a text and detects the encoding of its bytes.
  ///
  /// - Complexity: O(n).
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.allSatisfy({ $0 < 0x80 }) {
      encoding = .ascii
    } else if bytes.starts(with: Self.utf8Mark) || String(validating: bytes, as: UTF8.self) != nil {
      encoding = .utf8
    } else if bytes.count % 2 == 0, Self.isBigEndian(bytes) != nil {
      encoding = .utf16
    } else {
      encoding = .windows1252
    }
  }

  /// Creates a text with a given encoding; the encoding is not detected.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the event.
  ///   - encoding: The encoding with which `string` decodes them.
  public init(_ bytes: [UInt8], as encoding: Encoding) {
    self.bytes = bytes
    self.encoding = encoding
  }

  /// True if the bytes begin with the byte order mark of `encoding`.
  public var hasByteOrderMark: Bool {
    encoding == .utf16 || encoding == .utf8 && bytes.starts(with: Self.utf8Mark)
  }

  /// The text without a byte order mark.
  ///
  /// Invalid bytes are replaced by U+FFFD.
  ///
  /// In Windows-1252, bytes 81, 8D, 8F, 90 and 9D (hexadecimal) are invalid.
  ///
  /// - Complexity: O(n).
  public var string: String {
    switch encoding {
    case .ascii: String(decoding: bytes, as: UTF8.self)
    case .utf8:
      String(decoding: hasByteOrderMark ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    case .utf16: utf16
    case .windows1252:
      String(String.UnicodeScalarView(bytes.map(Self.windows1252)))
    }
  }

  private var utf16: String {
    let isBigEndian = Self.isBigEndian(bytes)
    // Without a byte order mark, units are little-endian.
    let first = isBigEndian == nil ? 0 : 2
    let units = stride(from: first, to: bytes.count - 1, by: 2).map { index in
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian == true ? one << 8 | other : other << 8 | one
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// True for big-endian, false for little-endian, nil without a byte order mark of UTF-16.
  private static func isBigEndian(_ bytes: [UInt8]) -> Bool? {
    if bytes.starts(with: [0xFE, 0xFF]) { return true }
    return bytes.starts(with: [0xFF, 0xFE]) ? false : nil
  }

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return windows1252[Int(byte) - 0x80]
  }

  /// The characters of bytes 80…9F.
  ///
  /// Source: Unicode's table for code page 1252 (cp1252 to Unicode, 2.01).
  private static let windows1252: [Unicode.Scalar] = [
    "€", "\u{FFFD}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{FFFD}", "Ž",
    "\u{FFFD}", "\u{FFFD}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{FFFD}",
    "ž", "Ÿ",
  ]
}
