// SPDX-License-Identifier: Apache-2.0

/// Digits three cells wide and five high.
enum LargeDigits {
  private static let shapes: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    "|": [" # ", " # ", " # ", " # ", " # "], ":": ["   ", " # ", "   ", " # ", "   "],
    ";": ["   ", " # ", "   ", " # ", " # "], "-": ["   ", "   ", "###", "   ", "   "],
    ".": ["   ", "   ", "   ", "   ", " # "], "/": ["  #", "  #", " # ", "#  ", "#  "],
  ]

  /// The rows of a text; a character without a shape is a space.
  static func rows(_ text: String) -> [String] {
    (0..<5).map { row in
      text.map { shapes[$0]?[row] ?? "   " }.joined(separator: " ")
        .replacing("#", with: "█")
    }
  }
}
