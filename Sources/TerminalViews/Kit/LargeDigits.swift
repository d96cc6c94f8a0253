// SPDX-License-Identifier: Apache-2.0

/// Digits three columns wide and five rows high; punctuation is one column wide.
package enum LargeDigits {
  /// The rows of a digit.
  package static let height = 5

  private static let shapes: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    "|": ["#", "#", "#", "#", "#"], ":": [" ", "#", " ", "#", " "],
    ";": [" ", "#", " ", "#", "#"], "-": ["   ", "   ", "###", "   ", "   "],
    ".": [" ", " ", " ", " ", "#"], "/": ["  #", "  #", " # ", "#  ", "#  "],
  ]

  /// The rows of a text, all of the same width; a character without a shape becomes a space.
  package static func rows(_ text: String) -> [String] {
    (0..<height).map { row in
      text.map { shapes[$0]?[row] ?? "   " }.joined(separator: " ")
        .replacing("#", with: "█")
    }
  }
}
