// SPDX-License-Identifier: Apache-2.0
internal import TerminalViews

/// Breaks lines between words, for narrow terminals.
///
/// A terminal breaks long lines within words. Lines in a file or pipe are not broken, so that
/// programs receive them unchanged.
package enum BrokenLines {
  /// The lines broken to the width of the terminal; unchanged if the output is not a terminal.
  package static func fitted(_ lines: [String]) -> [String] {
    guard let columns = Console.current.output.size?.columns else { return lines }
    return lines.flatMap { broken($0, to: max(columns, 20)) }
  }

  /// Breaks a line into parts.
  ///
  /// - Parameters:
  ///   - line: The line; one with a command after `$ ` is not broken.
  ///   - width: The width of a part in columns; a longer word gets a separate part.
  /// - Returns: The parts; all except the first are indented to a column of the line.
  static func broken(_ line: String, to width: Int) -> [String] {
    guard TextWidth.columns(line) > width, !line.contains("  $ ") else { return [line] }
    let hang = column(of: line, within: width / 2)
    var parts: [String] = []
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    var part = words.first.map(String.init) ?? ""
    for word in words.dropFirst() {
      let longer = "\(part) \(word)"
      if TextWidth.columns(longer) <= width || TextWidth.columns(part) <= hang {
        part = longer
      } else {
        parts.append(part.withoutTrailingSpaces)
        part = String(repeating: " ", count: hang) + word
      }
    }
    return parts + [part]
  }

  /// The last column that begins in the first part of a line, after at least two spaces.
  private static func column(of line: String, within limit: Int) -> Int {
    var (column, spaces) = (0, 0)
    for (index, character) in line.enumerated() {
      if character == " " {
        spaces += 1
      } else {
        if spaces > 1, index <= limit { column = index }
        spaces = 0
      }
    }
    return column == 0 ? 4 : column
  }
}
