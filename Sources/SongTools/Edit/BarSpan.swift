// SPDX-License-Identifier: Apache-2.0

/// A range of bars in spoken form: `1-4`, `bar 1-4`, `bars 1 to 4`, `bar 3`.
package struct BarSpan {
  private let first: Int
  private let last: Int

  /// Reads a range of bars, which includes the last bar; nil for other texts.
  package init?(_ text: String) {
    let form = /(bars? ?)?(\d{1,6})(?: ?(?:-|–|to) ?(?:bar ?)?(\d{1,6}))?/
    guard let match = text.lowercased().wholeMatch(of: form), let first = Int(match.2),
      match.1 != nil || match.3 != nil
    else { return nil }
    let last = match.3.flatMap { Int($0) } ?? first
    guard first > 0, last >= first else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// The bars in the form of `--range`: `bar 1..bar 5`.
  package var range: String { "bar \(first)..bar \(last + 1)" }
}
