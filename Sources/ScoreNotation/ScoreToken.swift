// SPDX-License-Identifier: Apache-2.0

/// A position in the text; line and column are counted from 1.
struct ScorePlace: Hashable, Sendable {
  var line = 1
  var column = 1
}

/// A word, a quoted text or a bracket, with its position.
struct ScoreToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word
    case quoted
    /// One of `( ) { } & | [`.
    case mark
  }

  let kind: Kind
  let text: String
  let place: ScorePlace
  /// True if it directly follows the previous token, without a space.
  let isAdjacent: Bool

  func isMark(_ text: String) -> Bool { kind == .mark && self.text == text }

  var isWord: Bool { kind == .word }

  func replacing(_ text: String) -> ScoreToken {
    ScoreToken(kind: kind, text: text, place: place, isAdjacent: isAdjacent)
  }
}
