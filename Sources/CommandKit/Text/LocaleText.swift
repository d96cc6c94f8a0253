// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import Synchronization
internal import TerminalViews

/// Converts text for the user to the character set of the locale: UTF-8, or ASCII for all others.
///
/// In ASCII, typographic characters are replaced by similar ones (`…` by `...`), and other
/// characters by `?`. Names of files keep their bytes: words of the command line, and letters in
/// words with a slash. JSON and the contents of files are not converted.
package enum LocaleText {
  private static let signs: [Unicode.Scalar: String] = [
    "–": "-", "—": "-", "−": "-", "\u{2010}": "-", "\u{2011}": "-", "\u{2012}": "-", "…": "...",
    "≈": "~", "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v", "♯": "#", "♭": "b", "°": " deg",
    "µ": "u", "μ": "u", "≤": "<=", "≥": ">=", "“": "\"", "”": "\"", "„": "\"", "’": "'",
    "‘": "'", "·": ".", "•": "*", "±": "+/-", "©": "(c)", "⁴": "^4", "▶": ">", "■": "*", "●": "*",
    "\u{A0}": " ", "\u{202F}": " ", "√": "sqrt ", "⇄": "<->",
  ]

  /// Converts text for the locale of the current console.
  ///
  /// - Parameter text: The text; it may contain control sequences for a terminal.
  /// - Returns: The text, unchanged or in ASCII.
  /// - Complexity: O(n) in the bytes; for a line of k words with other characters O(n + k²).
  package static func shown(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }), !isUnicode else { return text }
    let typed = Console.current.typedNames.withLock { $0 }
    return ascii(text, keeping: typed)
  }

  /// Converts the bytes of text for the locale of the current console.
  static func shown(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.allSatisfy({ $0 < 0x80 }), !isUnicode else { return bytes }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { shown(String($0)) }.joined(separator: "\n").utf8.map { $0 }
  }

  /// Keeps the words of a command line unchanged in later output, because they may be names of
  /// files.
  ///
  /// - Parameter words: The words, without the program's name.
  package static func keep(_ words: [String]) {
    let names = words.filter { word in !word.utf8.allSatisfy { $0 < 0x80 } }
    guard !names.isEmpty else { return }
    // The value of `--output=NAME` and the last part of a path are kept, too.
    let parts = names.flatMap { name -> [Substring] in
      [name[...], name.split(separator: "/").last ?? "", name.split(separator: "=").last ?? ""]
    }
    let typed = Set(parts.map { Printable.text(String($0)) })
    Console.current.typedNames.withLock { $0.formUnion(typed) }
  }

  /// True if the locale of the current console uses UTF-8.
  static var isUnicode: Bool {
    Console.current.once("isUnicode") { TerminalAbilities.isUnicode(Environment.variables) }
  }

  /// The cursor keys in ASCII, because characters such as `<` are other keys.
  private static let cursorKeys = [
    ("←→", "Left/Right"), ("← →", "Left Right"), ("↓ ↑", "Down Up"),
  ]

  /// Converts text to ASCII, except for names.
  static func ascii(_ text: String, keeping names: Set<String>) -> String {
    let text = cursorKeys.reduce(text) { $0.replacing($1.0, with: $1.1) }
    var shown = ""
    var rest = text[...]
    while let first = rest.first {
      if let name = name(at: rest, in: text, names) {
        shown += name
        rest = rest.dropFirst(name.count)
      } else {
        let end = rest.dropFirst().firstIndex(where: isBoundary) ?? rest.endIndex
        let word = isBoundary(first) ? rest.prefix(1) : rest[..<end]
        shown += ascii(word)
        rest = rest[word.endIndex...]
      }
    }
    return shown
  }

  /// The longest name at the beginning of the rest of a text; nil if no word begins there, or it is
  /// not a name.
  private static func name(
    at rest: Substring, in text: String, _ names: Set<String>
  ) -> Substring? {
    guard !names.isEmpty, rest.first.map(isBoundary) == false,
      rest.startIndex == text.startIndex || isBoundary(text[text.index(before: rest.startIndex)])
    else { return nil }
    let ends = rest.indices.dropFirst().filter { isBoundary(rest[$0]) } + [rest.endIndex]
    return ends.reversed().lazy.map { rest[..<$0] }.first { names.contains(String($0)) }
  }

  /// True for a character that separates names in a message.
  private static func isBoundary(_ character: Character) -> Bool {
    " :,;'()[]\n\r".contains(character)
  }

  /// Converts a word to ASCII; letters of a path are kept.
  private static func ascii(_ word: Substring) -> String {
    let isPath = word.contains("/")
    return word.unicodeScalars.reduce(into: "") { shown, scalar in
      if let sign = signs[scalar] {
        shown += sign
      } else if scalar.isASCII || isPath {
        shown.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory != .nonspacingMark {
        shown += "?"
      }
    }
  }
}
