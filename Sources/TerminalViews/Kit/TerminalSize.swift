// SPDX-License-Identifier: Apache-2.0

/// The number of columns and rows of a terminal, at least one of each.
package struct TerminalSize: Hashable, Sendable {
  /// More than any terminal has, so that an invalid size does not use too much memory.
  private static let most = 2000

  package let columns: Int
  package let rows: Int

  /// Creates a size, limited to 1…2000 columns and rows.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Self.most)
    self.rows = min(max(rows, 1), Self.most)
  }
}
