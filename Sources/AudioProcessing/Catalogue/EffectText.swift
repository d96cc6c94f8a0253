// SPDX-License-Identifier: Apache-2.0

/// What a text asks for: an effect by its name, and values by theirs.
///
/// `reverb mix=30% decay=2s`: words with spaces between them, the first the effect's name, the others a
/// name, `=` and a value each. What stands in quotation marks may hold spaces: in double ones anywhere, in
/// single ones where they begin a word or a value.
public struct EffectText: Hashable, Sendable {
  /// The effect's name, in lower case.
  public let name: String
  /// Names, in lower case, and values, in the order in which they stand.
  public let values: [Value]

  /// A name and what stands behind its `=`.
  public struct Value: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String
    /// The value, as it was written, without quotation marks.
    public let text: String
  }

  /// Takes a text apart; whether there is such an effect a catalogue says.
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

  /// The words of a text, without quotation marks.
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
