// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// Reads a score in text notation (`Documentation/Notation.md`) and creates a sequence from it.
///
/// Reading the same text again gives the same sequence, including the random deviations of
/// `@human`.
public struct ScoreReader: Sendable {
  /// The maximum number of words, steps and events in a score, including repeats: 300,000.
  public static let workLimit = 300_000
  /// The maximum number of parts in a score: 1024.
  public static let partLimit = 1024
  /// The maximum length of a score in ticks: 2³¹.
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

  /// Creates a sequence from a score.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: A sequence. Its first track has the title, key and markers, and each part has a
  ///   further track; in format 0 there is only one track. If the score has several patterns, only
  ///   the first is returned.
  /// - Throws: `ScoreError` at the first word that is not valid.
  /// - Complexity: O(n log n) in the events of the score.
  public func read(_ text: String) throws(ScoreError) -> MusicSequence {
    try readPatterns(text)[0]
  }

  /// Creates sequences from a score, which contains one song or the patterns of format 2.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: In format 2, one sequence for each pattern, in order, each with a single track;
  ///   otherwise one sequence.
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
