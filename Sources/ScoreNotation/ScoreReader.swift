// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// Reads a score in text notation (`Documentation/Notation.md`) into a sequence.
///
/// The same text gives the same sequence, the deviations of `@human` included.
public struct ScoreReader: Sendable {
  /// The most words, steps and events a score may come to once its repeats are written out.
  public static let workLimit = 300_000
  /// The most parts a score may have.
  public static let partLimit = 1024
  /// The most ticks a score may last.
  public static let tickLimit: Int64 = 1 << 31

  private let middleC: Int
  /// True if music may stand without the name of a part: notes are for the part `piano`, drums for
  /// `drums`.
  package var allowsBareMusic = false

  /// Creates a reader.
  ///
  /// - Parameter middleC: the octave of middle C, key 60: 3, 4 or 5.
  public init(middleC: Int = 4) {
    self.middleC = middleC
  }

  /// Returns true if a word is a note with its length and other marks: `c4`, `f#/8`.
  package static func isNote(_ word: String) -> Bool {
    var rest = Substring(word)
    guard ScorePitch(&rest) != nil else { return false }
    return rest.allSatisfy { $0.isNumber || "/.~*'_>!".contains($0) } && rest.first != "."
  }

  /// Reads a score.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: A sequence with a first track for title, key and markers, and a track for each
  ///   part; in format 0 all of that in one track. Of a score of several patterns, the first.
  /// - Throws: `ScoreError` at the first word that cannot be read.
  /// - Complexity: O(n log n) in the events of the score.
  public func read(_ text: String) throws(ScoreError) -> MusicSequence {
    try readPatterns(text)[0]
  }

  /// Reads a score of one piece, or of the patterns of format 2.
  ///
  /// - Parameter text: The whole text.
  /// - Returns: One sequence; in format 2 one of a single track for each pattern, in order.
  /// - Throws: As `read(_:)`.
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
