// SPDX-License-Identifier: Apache-2.0
package import JSONText

/// Lines for the current console: data to its output, messages for a person to its messages.
///
/// Characters that control a terminal are replaced in every line; text from outside is printed no
/// other way. Text for a person is in the character set of the locale (`LocaleText`); JSON and the
/// contents of files are always UTF-8.
package enum Terminal {
  /// True if messages go to a terminal, on which a line may be drawn over.
  package static var isInteractive: Bool { Console.current.messages.isTerminal }

  /// The width of pages of help: `COLUMNS` or the width of the terminal, 40…100; 80 if neither is
  /// known.
  package static var columns: Int {
    let named = Environment.variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return min(max(named ?? Console.current.output.size?.columns ?? 80, 40), 100)
  }

  /// Prints a message, with the command's name in front.
  package static func report(_ sentence: String) {
    say("downbeat: \(sentence)")
  }

  /// Prints a message; while a picture is drawn, after it.
  package static func say(_ line: String) {
    let line = Printable.text(line)
    if !HeldLines.take(line) { StatusLine.say(line) }
  }

  /// Writes a line for a person to the output.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ line: String) throws(Failure) {
    try output([line])
  }

  /// Writes lines for a person to the output.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ lines: [String]) throws(Failure) {
    try Console.current.write(
      lines.map { LocaleText.shown(Printable.text($0)) + "\n" }.joined())
  }

  /// Writes a JSON document on a line.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ document: JSONValue) throws(Failure) {
    try output(data: [document.description])
  }

  /// Writes lines of data for programs, such as the contents of a file.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(data lines: [String]) throws(Failure) {
    try Console.current.write(lines.map { Printable.text($0) + "\n" }.joined())
  }

  /// Writes a JSON document on a thread that cannot throw; a failure is reported at the end.
  package static func note(_ document: JSONValue) {
    do {
      try output(document)
    } catch {
      // The console keeps it.
    }
  }

  /// Draws on the terminal, with sequences that control it.
  package static func draw(_ text: String) {
    var text = LocaleText.shown(text)
    text.withUTF8 { bytes in
      do throws(Failure) {
        try unsafe Console.current.messages.write(UnsafeRawBufferPointer(bytes))
      } catch {
        // A message cannot be reported if messages cannot be written.
      }
    }
  }
}
