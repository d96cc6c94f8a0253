// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import JSONText

/// The standard streams: data on output, everything said to a person on error.
///
/// Every line is cleared of what steers a terminal; what may come from outside goes no other way.
package enum Terminal {
  /// Whether messages go to a terminal, where a line may be drawn over.
  package static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes one line to standard error, with the command's name before it.
  package static func report(_ sentence: String) {
    say("downbeat: \(sentence)")
  }

  /// Writes one line to standard error; while a picture is drawn there, after that.
  package static func say(_ line: String) {
    let line = Printable.text(line)
    if !HeldLines.take(line) { StatusLine.say(line) }
  }

  /// Writes one line to standard output.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ line: String) throws(Failure) {
    try output([line])
  }

  /// Writes lines to standard output.
  ///
  /// - Throws: `Failure` with status 74.
  package static func output(_ lines: [String]) throws(Failure) {
    try StandardOutput.write(lines.map { Printable.text($0) + "\n" }.joined())
  }

  /// Writes one line to standard output on a thread that has nobody to throw to.
  ///
  /// What fails is told by the end of the process.
  package static func note(_ line: String) {
    do {
      try output(line)
    } catch {
      // `StandardOutput` keeps it.
    }
  }

  /// Writes to standard error as it is: what draws takes care of what it shows.
  package static func draw(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno == EPIPE {
        _ = SignalWatch.passOn(SIGPIPE)
        return
      } else if errno != EINTR {
        return
      }
    }
  }
}
