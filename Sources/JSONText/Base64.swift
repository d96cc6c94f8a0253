// SPDX-License-Identifier: Apache-2.0

/// Encodes and decodes base64, with `=` as padding.
///
/// Source: RFC 4648, section 4.
package enum Base64 {
  private static let signs = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The base64 text for bytes.
  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * (3 - group.count)
      for place in 0...group.count {
        let sign: UInt32 = bits >> (18 - 6 * place) & 63
        text.append(signs[Int(sign)])
      }
      text += repeatElement(UInt8(ascii: "="), count: 3 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a base64 text; nil if the text is not valid.
  package static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count % 4 == 0 else { return nil }
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.utf8.dropFirst(digits.count)
    guard padding.count < 3, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
    var (bytes, bits, count) = ([UInt8](), 0 as UInt32, 0)
    for digit in digits {
      guard let value = signs.firstIndex(of: digit) else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
