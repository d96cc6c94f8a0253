// SPDX-License-Identifier: Apache-2.0

/// A value of a TOML document.
///
/// Dates and times are not supported.
package enum TOMLValue: Hashable, Sendable {
  case text(String)
  case integer(Int)
  /// A number with a fraction or an exponent, as it is written but without underscores.
  case decimal(String)
  case bool(Bool)
  case array([TOMLValue])
}

/// A key with its value and its line.
package struct TOMLEntry: Hashable, Sendable {
  /// The names of the tables, from the outermost, and the key.
  package let path: [String]
  package let value: TOMLValue
  /// The line of the key, from 1.
  package let line: Int
}

/// An error in a TOML document, with its line.
package struct TOMLError: Error, Hashable, CustomStringConvertible, Sendable {
  /// The line, from 1.
  package let line: Int
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}
