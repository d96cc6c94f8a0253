// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text padded with spaces after it to a width in characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(width - count, 0))
  }

  /// The text padded with spaces before it to a width in characters.
  package func indented(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(width - count, 0)) + self
  }

  /// The text without trailing spaces.
  package var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
