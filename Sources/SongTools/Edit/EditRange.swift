// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
package import MusicSequences
package import MusicalTime

/// A range of times, `FROM..TO`, which excludes TO.
///
/// Each of the two can be left out.
package struct EditRange {
  package static let everything = EditRange()

  private let text: String
  private let start: EditPlace?
  private let end: EditPlace?

  private init() {
    (text, start, end) = ("..", nil, nil)
  }

  package init(parsing text: String) throws {
    self.text = text
    guard let dots = text.firstRange(of: "..") else {
      throw ValidationError("range '\(text)': not FROM..TO (try 5|1..9|1, 30s.. or ..@chorus)")
    }
    let first = String(text[..<dots.lowerBound])
    let last = String(text[dots.upperBound...])
    start = first.isEmpty ? nil : try EditPlace(parsing: first)
    end = last.isEmpty ? nil : try EditPlace(parsing: last)
  }

  /// Returns the ticks in the range, from its start to just before its end.
  package func ticks(in sequence: MusicSequence) throws -> Range<Tick> {
    let first = try start?.tick(in: sequence) ?? .zero
    let last = try end?.tick(in: sequence) ?? Tick(.max)
    guard first <= last else {
      throw Failure(.usage, "range '\(text)': ends before it starts")
    }
    return first..<last
  }
}
