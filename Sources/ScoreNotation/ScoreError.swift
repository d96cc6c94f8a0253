// SPDX-License-Identifier: Apache-2.0

/// An error in a score in text notation: its position, the text found, and the allowed text.
public struct ScoreError: Error, Hashable, Sendable {
  /// The line, counted from 1.
  public let line: Int
  /// The column in characters, counted from 1.
  public let column: Int
  /// The text at this position.
  public let found: String
  /// The defect, as the predicate of a sentence whose subject is `found`.
  public let problem: String
  /// The text that is allowed at this position.
  public let allowed: String

  /// Creates an error.
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
  /// The text of the error message, without the name of the file.
  public var description: String {
    "line \(line), column \(column): '\(found)' \(problem): \(allowed)"
  }
}
