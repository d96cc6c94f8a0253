// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with spaces behind it up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(width - count, 0))
  }

  /// The text with spaces before it up to a width.
  package func indented(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(width - count, 0)) + self
  }

  /// The text without spaces at its end.
  package var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
