// SPDX-License-Identifier: Apache-2.0
internal import FileNames

/// Text from outside (names of files, texts in them, words of the command line) as it is shown and
/// printed: it cannot steer a terminal or turn a line around.
///
/// Bytes are shown as `\xE9`, two capital hexadecimal digits each: those of a file's name that are not
/// UTF-8 (`FileName`), and the UTF-8 of every character that `isSteering`. A line feed is `\x0A`, a
/// right-to-left override `\xE2\x80\xAE`. A backslash is shown as it is.
package enum Printable {
  /// Whether a character does something else than stand in a line: the controls (C0, DEL, C1), the
  /// separators of lines, and those that change the direction of what follows.
  package static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }

  /// The text on one line, with `\xE9` for each byte that is not shown as it is.
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

  /// The text of a song on one line, with `·` for each character that steers: texts in songs often end
  /// with a line feed or zeros, which tell nobody anything.
  package static func dotted(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isSteering($0) ? "·" : $0 }))
  }

  /// The text without what steers.
  package static func stripped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isSteering($0) }))
  }
}
