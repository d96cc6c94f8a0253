// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// Reads a score in text notation (`Documentation/Notation.md`) into a sequence.
///
/// The same text gives the same sequence, including the deviations of `@human`.
public struct ScoreReader: Sendable {
  /// The most words, steps and events of a score, including repeats.
  public static let workLimit = 300_000
  /// The most parts of a score.
  public static let partLimit = 1024
  /// The longest score in ticks.
  public static let tickLimit: Int64 = 1 << 31

  private let middleC: Int
  /// True if music can be written without the name of a part; false by default.
  ///
  /// Notes then belong to the part `piano`, and drums to `drums`.
  package var allowsBareMusic = false

  /// Creates a reader.
  ///
  /// - Parameter middleC: The octave number of middle C, key 60: 3, 4 (the default) or 5.
  public init(middleC: Int = 4) {
    self.middleC = middleC
  }

  /// Returns true if a word is a note with optional length and other marks: `c4`, `f#/8`.
  package static func isNote(_ word: String) -> Bool {
    var rest = Substring(word)
    guard ScorePitch(&rest) != nil else { return false }
    return rest.allSatisfy { $0.isNumber || "/.~*'_>!".contains($0) } && rest.first != "."
  }

  /// Reads a score.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: A sequence with a first track for title, key and markers, and a track for each
  ///   part; in format 0 only one track. If the score has several patterns, only the first is
  ///   returned.
  /// - Throws: `ScoreError` at the first word that is not valid.
  /// - Complexity: O(n log n) in the events of the score.
  public func read(_ text: String) throws(ScoreError) -> MusicSequence {
    try readPatterns(text)[0]
  }

  /// Reads a score with one piece, or with the patterns of format 2.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: One sequence; in format 2 one sequence with a single track for each pattern, in
  ///   order.
  /// - Throws: The errors of `read(_:)`.
  /// - Complexity: O(n log n) in the events of the score.
  public func readPatterns(_ text: String) throws(ScoreError) -> [MusicSequence] {
    var score = ScoreDraft()
    score.octaveShift = 4 - middleC
    score.allowsBareMusic = allowsBareMusic
    var sequences: [MusicSequence] = []
    for statement in try ScoreLexer.statements(of: text) {
      guard statement[0].isWord, statement[0].text == "pattern" else {
        try score.read(statement)
        continue
      }
      if score.hasPattern { sequences.append(try score.sequence()) }
      try score.beginPattern(statement)
    }
    return sequences + [try score.sequence()]
  }
}
