// SPDX-License-Identifier: Apache-2.0

/// File names as text that preserves every byte.
///
/// On Linux, a file name can contain any bytes except `/` and zero, but a Swift string contains
/// only Unicode. A byte that is not UTF-8 is therefore represented by one scalar of a private-use
/// block: byte 0xE9 by U+10FEE9. If a name really contains a scalar of this block, its four bytes
/// are represented by four such scalars. So different names are always different strings, and every
/// string of `text(of:)` can be converted back to its bytes. The same is done with a combining mark
/// at the start of a name, because it would form one `Character` with the `/` before it, and paths
/// are split at `/`.
///
/// Names are converted to strings only by `text(of:)`, and passed to the system only by
/// `String.withSystemPath(_:)`. `Printable` in `JSONText` displays them: `caf\xE9.mid`.
package enum FileName {
  /// U+10FE80…U+10FEFF represent the bytes 0x80…0xFF.
  private static let base: UInt32 = 0x10_FE00
  /// The first byte of these scalars in UTF-8, which few strings contain.
  private static let mark: UInt8 = 0xF4

  /// The byte that a scalar represents; nil for an ordinary scalar.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  /// Returns true if a string represents bytes that are not UTF-8.
  ///
  /// - Complexity: O(n) in the bytes.
  package static func hasLooseBytes(_ text: String) -> Bool {
    text.utf8.contains(mark) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The string for the bytes of a name.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Returns: The string; `bytes(of:)` converts it back.
  /// - Complexity: O(n) in the bytes.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    if !needsCare(bytes), let text = String(validating: bytes, as: UTF8.self) { return text }
    return parsed(Array(bytes))
  }

  /// True if there may be a scalar of the private-use block, or a combining mark (from U+0300) at
  /// the start of a name.
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

  /// True if a scalar forms one `Character` with the scalar before it.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
      || scalar.value == 0x200D
  }

  /// The scalar that represents a byte from 0x80 on; never nil.
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
