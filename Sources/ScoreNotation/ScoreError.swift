// SPDX-License-Identifier: Apache-2.0

/// An error in a score in text notation: its position, the word found there, and the words that are
/// permitted there.
public struct ScoreError: Error, Hashable, Sendable {
  /// The number of the line, from 1.
  public let line: Int
  /// The position in the line in characters, from 1.
  public let column: Int
  /// The word that is at this position.
  public let found: String
  /// The defect, as the rest of a sentence that begins with `found`.
  public let problem: String
  /// A description of the words that are permitted at this position.
  public let allowed: String

  /// Creates an error from its values.
  public init(line: Int, column: Int, found: String, problem: String, allowed: String) {
    self.line = line
    self.column = column
    self.found = found
    self.problem = problem
    self.allowed = allowed
  }

  init(_ place: ScorePlace, _ found: String, _ problem: String, allowed: String) {
    self.init(
      line: place.line, column: place.column, found: Self.printable(found), problem: problem,
      allowed: allowed)
  }

  /// The beginning of a text, without control characters.
  private static func printable(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(40).map { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(shown))
  }

  init(_ token: ScoreToken, _ problem: String, allowed: String) {
    self.init(token.place, token.text, problem, allowed: allowed)
  }
}

extension ScoreError: CustomStringConvertible {
  /// The error message, without the name of the file.
  public var description: String {
    "line \(line), column \(column): '\(found)' \(problem): \(allowed)"
  }
}
