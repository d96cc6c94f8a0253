// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import PlayerControl
internal import Synchronization
internal import TerminalViews

/// Lines at the bottom of the terminal that are drawn again in place, below all messages.
///
/// They are cut to the width of the terminal, because a wrapped line could not be drawn over.
///
/// - Note: Any thread.
package enum StatusLine {
  struct Line {
    let number: Int
    var text: String
  }

  /// Shows a line in place of the previous one.
  ///
  /// - Parameters:
  ///   - text: The text of the line.
  ///   - number: The number of the line, if there are several; a new line is added below the
  ///     others.
  package static func show(_ text: String, line number: Int = 0) {
    let text = LocaleText.shown(Printable.text(text))
    Console.current.statusLines.withLock { lines in
      let count = lines.count
      if let index = lines.firstIndex(where: { $0.number == number }) {
        lines[index].text = text
      } else {
        lines.append(Line(number: number, text: text))
      }
      Terminal.draw(drawn(lines, over: count))
    }
  }

  /// Removes a line.
  package static func clear(line number: Int = 0) {
    Console.current.statusLines.withLock { lines in
      let count = lines.count
      lines.removeAll { $0.number == number }
      Terminal.draw(drawn(lines, over: count))
    }
  }

  /// Prints a message above the lines.
  package static func say(_ text: String) {
    Console.current.statusLines.withLock { lines in
      guard !lines.isEmpty else { return Terminal.draw(text + "\n") }
      Terminal.draw(drawn([], over: lines.count) + text + "\n" + drawn(lines, over: 0))
    }
  }

  /// The control sequence that draws lines over old ones, limited to the height of the terminal.
  private static func drawn(_ lines: [Line], over count: Int) -> String {
    let most = max(1, size.rows - 1)
    let (old, new) = (min(count, most), lines.prefix(most))
    let way = old > 1 ? "\u{1B}[\(old - 1)A" : ""
    // The last column is left free, because some terminals wrap there. Three dots in ASCII take two
    // more columns.
    let room = columns - (LocaleText.isUnicode ? 1 : 3)
    let texts = new.map { "\r\u{1B}[K\(TextWidth.cut($0.text, to: room))" }
    let rest = old > max(1, new.count) ? "\u{1B}[J" : ""
    return (old > 1 ? "\r\(way)" : "")
      + (texts.isEmpty ? "\r\u{1B}[K" : texts.joined(separator: "\n"))
      + rest
  }

  /// The current width of the terminal in columns; 80 if it is not known.
  package static var columns: Int { size.columns }

  private static var size: (columns: Int, rows: Int) {
    Console.current.messages.size ?? (80, 24)
  }
}
