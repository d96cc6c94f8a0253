// SPDX-License-Identifier: Apache-2.0
internal import TerminalViews

/// Lines for a person on a narrow terminal, broken between words.
///
/// A terminal breaks long lines itself, but within words. Lines that go to a file or a pipe are not
/// broken, so that programs find them whole.
package enum BrokenLines {
  /// Lines in the width of the terminal, as they are if the output is not a terminal.
  package static func fitted(_ lines: [String]) -> [String] {
    guard let columns = Console.current.output.size?.columns else { return lines }
    return lines.flatMap { broken($0, to: max(columns, 20)) }
  }

  /// A line in parts that fit.
  ///
  /// - Parameters:
  ///   - line: the line; a command after `$ ` is never broken.
  ///   - width: the most columns of a part; a longer word gets its own line.
  /// - Returns: the parts; all but the first begin below a column of the line.
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

  /// The last column that begins in the first part of a line, after two or more spaces.
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
