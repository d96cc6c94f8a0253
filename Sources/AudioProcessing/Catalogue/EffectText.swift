// SPDX-License-Identifier: Apache-2.0

/// The parsed text of an effect: a name and its settings.
///
/// In `reverb mix=30% decay=2s`, words are separated by spaces. The first word is the name of the
/// effect, and the others have the form `name=value`. Quoted text can contain spaces. Double
/// quotation marks are recognised anywhere; single ones only at the start of a word or value.
public struct EffectText: Hashable, Sendable {
  /// The name of the effect, in lower case.
  public let name: String
  /// The settings, in the order of the text.
  public let values: [Value]

  /// A setting: a name and a value.
  public struct Value: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String
    /// The value as written, without quotation marks.
    public let text: String
  }

  /// Parses the text of an effect.
  ///
  /// The method does not check that the effect and its parameters exist.
  ///
  /// - Throws: `EffectError.noName`, `EffectError.notSet`, `EffectError.setTwice`,
  ///   `EffectError.openQuote`.
  /// - Complexity: O(n²) in the number of words, O(n) in the length of the text.
  public init(parsing text: String) throws(EffectError) {
    var words = try Self.words(text)
    guard let first = words.first, !first.contains("=") else { throw .noName }
    words.removeFirst()
    name = first.lowercased()
    var values: [Value] = []
    for word in words {
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw .notSet(effect: name, word)
      }
      let key = word[..<sign].lowercased()
      guard !values.contains(where: { $0.name == key }) else { throw .setTwice(effect: name, key) }
      values.append(Value(name: key, text: String(word[word.index(after: sign)...])))
    }
    self.values = values
  }

  /// Splits a text into words, without quotation marks.
  private static func words(_ text: String) throws(EffectError) -> [String] {
    var words: [String] = []
    var word = ""
    var mark: Character?
    for character in text {
      if character == mark {
        mark = nil
      } else if mark == nil, character == "\"" || character == "'" && (word.last ?? "=") == "=" {
        mark = character
      } else if character.isWhitespace, mark == nil {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    guard mark == nil else { throw .openQuote(text) }
    return word.isEmpty ? words : words + [word]
  }
}
