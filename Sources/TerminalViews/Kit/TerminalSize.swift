// SPDX-License-Identifier: Apache-2.0

/// How many columns and rows a terminal has, at least one of each.
package struct TerminalSize: Hashable, Sendable {
  /// More than any terminal has, lest a size that is nonsense take all memory.
  private static let most = 2000

  package let columns: Int
  package let rows: Int

  /// Creates a size; what lies outside 1…2000 is brought there.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Self.most)
    self.rows = min(max(rows, 1), Self.most)
  }
}
