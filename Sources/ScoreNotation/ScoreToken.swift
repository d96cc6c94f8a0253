// SPDX-License-Identifier: Apache-2.0

/// A place in the text, both from 1.
struct ScorePlace: Hashable, Sendable {
  var line = 1
  var column = 1
}

/// A word, a quoted text or a bracket, and where it stands.
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
  /// Whether it follows the token before without a space.
  let isAdjacent: Bool

  func isMark(_ text: String) -> Bool { kind == .mark && self.text == text }

  var isWord: Bool { kind == .word }

  func replacing(_ text: String) -> ScoreToken {
    ScoreToken(kind: kind, text: text, place: place, isAdjacent: isAdjacent)
  }
}
