// SPDX-License-Identifier: Apache-2.0
package import JSONText

/// Prints lines on the current console: data on its output, messages for the user on its message
/// stream.
///
/// Control characters are replaced in every line, and text from files is printed only in this way.
/// Text for the user is in the character set of the locale (`LocaleText`); JSON and the contents of
/// files are always UTF-8.
package enum Terminal {
  /// True if messages are shown on a terminal, so that a line can be drawn again in place.
  package static var isInteractive: Bool { Console.current.messages.isTerminal }

  /// The width of help pages in columns: `COLUMNS` or the width of the terminal, limited to 40…100;
  /// 80 if neither is known.
  package static var columns: Int {
    let named = Environment.variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return min(max(named ?? Console.current.output.size?.columns ?? 80, 40), 100)
  }

  /// Prints a message, preceded by the name of the command.
  package static func report(_ sentence: String) {
    say("downbeat: \(sentence)")
  }

  /// Prints a message; while a picture is on the terminal, it is printed after it.
  package static func say(_ line: String) {
    let line = Printable.text(line)
    if !HeldLines.take(line) { StatusLine.say(line) }
  }

  /// Writes a line for the user to the output.
  ///
  /// - Throws: `Failure` with exit status 74 if it cannot be written.
  package static func output(_ line: String) throws(Failure) {
    try output([line])
  }

  /// Writes lines for the user to the output.
  ///
  /// - Throws: `Failure` with exit status 74 if they cannot be written.
  package static func output(_ lines: [String]) throws(Failure) {
    try Console.current.write(
      lines.map { LocaleText.shown(Printable.text($0)) + "\n" }.joined())
  }

  /// Writes a JSON document on a line.
  ///
  /// - Throws: `Failure` with exit status 74 if it cannot be written.
  package static func output(_ document: JSONValue) throws(Failure) {
    try output(data: [document.description])
  }

  /// Writes lines of data, such as the contents of a file.
  ///
  /// - Throws: `Failure` with exit status 74 if they cannot be written.
  package static func output(data lines: [String]) throws(Failure) {
    try Console.current.write(lines.map { Printable.text($0) + "\n" }.joined())
  }

  /// Writes a JSON document on a line; a failure is reported at the end of the command.
  package static func note(_ document: JSONValue) {
    do {
      try output(document)
    } catch {
      // The console keeps the failure.
    }
  }

  /// Writes text with control sequences to the terminal.
  package static func draw(_ text: String) {
    var text = LocaleText.shown(text)
    text.withUTF8 { bytes in
      do throws(Failure) {
        try unsafe Console.current.messages.write(UnsafeRawBufferPointer(bytes))
      } catch {
        // If messages cannot be written, the failure cannot be reported either.
      }
    }
  }
}
