// SPDX-License-Identifier: Apache-2.0

/// Why a score in text notation could not be read: where, what was found, and what may stand there.
public struct ScoreError: Error, Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in characters.
  public let column: Int
  /// What stands there.
  public let found: String
  /// What is wrong with it.
  public let problem: String
  /// What may stand there instead.
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

  /// The beginning of a text, without characters that a terminal would obey.
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
  /// The sentence to show, after the name of the file.
  public var description: String {
    "line \(line), column \(column): '\(found)' \(problem): \(allowed)"
  }
}
