// SPDX-License-Identifier: Apache-2.0

/// Text that came from outside (names of files, texts in them, words of the command line) without
/// what steers a terminal or turns a line around.
package enum Printable {
  /// Whether a character does something else than stand in a line: the controls (C0, DEL, C1), the
  /// separators of lines, and those that change the direction of what follows.
  package static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }

  /// The text on one line, with `·` for what steers.
  package static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isSteering) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { isSteering($0) ? "·" : $0 }))
  }

  /// The text without what steers.
  package static func stripped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isSteering($0) }))
  }
}
