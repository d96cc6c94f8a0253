// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// Lines for the current console: data to its output, messages for a person to its messages.
///
/// Characters that control a terminal are replaced in every line; text from outside is printed no
/// other way.
package enum Terminal {
  /// True if messages go to a terminal, on which a line may be drawn over.
  package static var isInteractive: Bool { Console.current.messages.isTerminal }

  /// Prints a message, with the command's name in front.
  package static func report(_ sentence: String) {
    say("downbeat: \(sentence)")
  }

  /// Prints a message; while a picture is drawn, after it.
  package static func say(_ line: String) {
    let line = Printable.text(line)
    if !HeldLines.take(line) { StatusLine.say(line) }
  }

  /// Writes a line of data.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ line: String) throws(Failure) {
    try output([line])
  }

  /// Writes lines of data.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ lines: [String]) throws(Failure) {
    try Console.current.write(lines.map { Printable.text($0) + "\n" }.joined())
  }

  /// Writes a line of data on a thread that cannot throw; a failure is reported at the end.
  package static func note(_ line: String) {
    do {
      try output(line)
    } catch {
      // The console keeps it.
    }
  }

  /// Draws on the terminal; the text is written as it is.
  package static func draw(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      do throws(Failure) {
        try unsafe Console.current.messages.write(UnsafeRawBufferPointer(bytes))
      } catch {
        // A message cannot be reported if messages cannot be written.
      }
    }
  }
}
