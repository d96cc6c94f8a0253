// SPDX-License-Identifier: Apache-2.0

/// Names of files as text that keeps every byte.
///
/// Linux takes any bytes but `/` and zero as a name; a Swift string holds UTF-8 only. In a string a
/// byte that belongs to no character of UTF-8 is therefore one scalar of a block for private use:
/// byte 0xE9 is U+10FEE9. A name that really contains a scalar of that block keeps its four bytes, as
/// four such scalars. So two names are never the same string, and every string of `text(of:)` gives
/// its bytes back. The same is done with a mark at the start of a name that would join the `/` before
/// it to one `Character`: paths are taken apart at `/`.
///
/// Names become strings in `text(of:)` and go to the system by `String.withSystemPath(_:)`, nowhere
/// else. `Printable` in `JSONText` shows them: `caf\xE9.mid`.
package enum FileName {
  /// U+10FE80…U+10FEFF stand for the bytes 0x80…0xFF.
  private static let base: UInt32 = 0x10_FE00
  /// The first byte of those scalars in UTF-8, which few strings contain.
  private static let mark: UInt8 = 0xF4

  /// The byte that a scalar stands for, or nil if it stands for itself.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  /// Whether a string contains bytes that are not UTF-8.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func hasLooseBytes(_ text: String) -> Bool {
    text.utf8.contains(mark) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The string for the bytes of a name.
  ///
  /// - Parameter bytes: any bytes.
  /// - Returns: the string; `bytes(of:)` gives the bytes back.
  /// - Complexity: O(n) in the bytes.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    if !needsCare(bytes), let text = String(validating: bytes, as: UTF8.self) { return text }
    return parsed(Array(bytes))
  }

  /// Whether there may be a scalar of our block, or a mark at the start of a name (from U+0300).
  private static func needsCare(_ bytes: some Collection<UInt8>) -> Bool {
    var previous = UInt8(ascii: "/")
    return bytes.contains { byte in
      defer { previous = byte }
      return byte == mark || byte >= 0xCC && previous == UInt8(ascii: "/")
    }
  }

  /// The string for a name that ends with a zero byte.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func text(cString: UnsafePointer<CChar>) -> String {
    var count = 0
    while unsafe cString[count] != 0 { count += 1 }
    return unsafe text(of: UnsafeRawBufferPointer(start: cString, count: count))
  }

  private static func parsed(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .emptyInput: return String(text)
      case .error(let length):
        text.append(contentsOf: bytes[place..<place + length].compactMap(standIn))
        place += length
      case .valid(let character):
        let scalar = Unicode.UTF8.decode(character)
        let isFirst = place == 0 || bytes[place - 1] == UInt8(ascii: "/")
        let isOurs = byte(of: scalar) != nil || isFirst && joins(scalar)
        text.append(contentsOf: isOurs ? character.compactMap(standIn) : [scalar])
        place += character.count
      }
    }
  }

  /// Whether a scalar makes one `Character` with the one before it.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
      || scalar.value == 0x200D
  }

  /// The scalar that stands for a byte from 0x80; never nil.
  private static func standIn(for byte: UInt8) -> Unicode.Scalar? {
    Unicode.Scalar(base + UInt32(byte))
  }

  /// The bytes of a name.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func bytes(of text: String) -> [UInt8] {
    guard hasLooseBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }
}
