// SPDX-License-Identifier: Apache-2.0

/// Bytes as 64 signs.
///
/// Source: RFC 4648, section 4.
enum Base64 {
  private static let signs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The signs for some bytes.
  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
      text += (0...group.count).map { signs[Int(bits >> (18 - 6 * $0) & 63)] }
      text += repeatElement(UInt8(ascii: "="), count: 3 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text stands for so many bytes.
  static func isText(_ text: String, of count: Int) -> Bool {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = (3 - count % 3) % 3
    return text.utf8.count == (count + 2) / 3 * 4 && digits.count == text.utf8.count - padding
      && digits.allSatisfy(signs.contains)
      && text.utf8.suffix(padding).allSatisfy { $0 == UInt8(ascii: "=") }
  }
}
