// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import Synchronization
internal import TerminalViews

/// Text for a person in the character set of the locale: UTF-8, or else ASCII.
///
/// In ASCII, typographic signs become similar signs (`…` is `...`) and other characters become `?`.
/// Names of files keep their bytes: words of the command line, and letters in words with a slash.
/// JSON and the contents of files are not written here.
package enum LocaleText {
  private static let signs: [Unicode.Scalar: String] = [
    "–": "-", "—": "-", "−": "-", "\u{2010}": "-", "\u{2011}": "-", "\u{2012}": "-", "…": "...",
    "≈": "~", "×": "x", "→": "->", "←": "<-", "↑": "^", "↓": "v", "♯": "#", "♭": "b", "°": " deg",
    "µ": "u", "μ": "u", "≤": "<=", "≥": ">=", "“": "\"", "”": "\"", "„": "\"", "’": "'",
    "‘": "'", "·": ".", "•": "*", "±": "+/-", "©": "(c)", "⁴": "^4", "▶": ">", "■": "*", "●": "*",
    "\u{A0}": " ", "\u{202F}": " ", "√": "sqrt ", "⇄": "<->",
  ]

  /// Text as the locale of the current console can show it.
  ///
  /// - Parameter text: the text; it may contain sequences that control a terminal.
  /// - Returns: the text itself, or the text in ASCII.
  /// - Complexity: O(n) in the bytes; for a line of k words with other characters O(n + k²).
  package static func shown(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }), !isUnicode else { return text }
    let typed = Console.current.typedNames.withLock { $0 }
    return ascii(text, keeping: typed)
  }

  /// Bytes of text as the locale of the current console can show them.
  static func shown(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.allSatisfy({ $0 < 0x80 }), !isUnicode else { return bytes }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { shown(String($0)) }.joined(separator: "\n").utf8.map { $0 }
  }

  /// Keeps the bytes of the words of a command line, which may be names of files.
  ///
  /// - Parameter words: the words, without the program's name.
  package static func keep(_ words: [String]) {
    let names = words.filter { word in !word.utf8.allSatisfy { $0 < 0x80 } }
    guard !names.isEmpty else { return }
    // `--output=NAME`, and the last part of a path, too.
    let parts = names.flatMap { name -> [Substring] in
      [name[...], name.split(separator: "/").last ?? "", name.split(separator: "=").last ?? ""]
    }
    let typed = Set(parts.map { Printable.text(String($0)) })
    Console.current.typedNames.withLock { $0.formUnion(typed) }
  }

  /// True if the locale of the current console has UTF-8.
  static var isUnicode: Bool {
    Console.current.once("isUnicode") { TerminalAbilities.isUnicode(Environment.variables) }
  }

  /// The cursor keys in ASCII: signs such as `<` are keys themselves.
  private static let cursorKeys = [
    ("←→", "Left/Right"), ("← →", "Left Right"), ("↓ ↑", "Down Up"),
  ]

  /// Text in ASCII, but for names.
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

  /// The longest name at the beginning of the rest of a text, if a word begins there; or nil.
  private static func name(
    at rest: Substring, in text: String, _ names: Set<String>
  ) -> Substring? {
    guard !names.isEmpty, rest.first.map(isBoundary) == false,
      rest.startIndex == text.startIndex || isBoundary(text[text.index(before: rest.startIndex)])
    else { return nil }
    let ends = rest.indices.dropFirst().filter { isBoundary(rest[$0]) } + [rest.endIndex]
    return ends.reversed().lazy.map { rest[..<$0] }.first { names.contains(String($0)) }
  }

  /// True for a character that stands around the names in a message.
  private static func isBoundary(_ character: Character) -> Bool {
    " :,;'()[]\n\r".contains(character)
  }

  /// A word in ASCII; letters of a path stay.
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
