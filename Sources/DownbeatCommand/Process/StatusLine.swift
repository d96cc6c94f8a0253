// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import JSONText
internal import TerminalViews

/// A line on the terminal that is drawn over itself, never longer than the terminal is wide: what
/// goes on to a second line stays there.
enum StatusLine {
  /// Shows a line in the place of the one before.
  static func show(_ text: String) {
    // The last column is left free: some terminals begin a new line there.
    Terminal.draw("\r\u{1B}[K\(TextWidth.cut(Printable.text(text), to: columns - 1))")
  }

  /// Takes the line away.
  static func clear() {
    Terminal.draw("\r\u{1B}[K")
  }

  /// The terminal's width now, which may change at any time; 80 where it says none.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
