// SPDX-License-Identifier: Apache-2.0
internal import FileNames

/// Converts text from files, file names and arguments for display, so that it cannot control a
/// terminal.
///
/// Bytes are displayed as `\xE9`, with two hexadecimal digits: the bytes of a file name that are
/// not UTF-8 (`FileName`), and the UTF-8 bytes of control characters (`isSteering`). A line feed is
/// `\x0A`, a right-to-left override `\xE2\x80\xAE`. A backslash is not changed.
package enum Printable {
  /// Returns true for control characters (C0, DEL, C1), line separators, and characters that change
  /// the text direction.
  package static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }

  /// The text on one line, with `\xE9` for each byte that cannot be displayed.
  ///
  /// - Complexity: O(n) in the characters.
  package static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.map(shown).joined()
  }

  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    isSteering(scalar) || FileName.byte(of: scalar) != nil
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    let text = String(scalar)
    guard isEscaped(scalar) else { return text }
    return FileName.bytes(of: text).map { byte in
      "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The text on one line, with `·` for each control character.
  ///
  /// For texts in songs, which often end with a line feed or zeros.
  package static func dotted(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isSteering($0) ? "·" : $0 }))
  }

  /// The text without control characters.
  package static func stripped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isSteering($0) }))
  }
}
