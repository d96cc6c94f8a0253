// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The three standard streams: data on output, everything said to a person on error.
enum Terminal {
  /// Whether messages go to a terminal, where a line may be drawn over.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes one line to standard error, with the command's name before it.
  static func report(_ sentence: String) {
    write("downbeat: \(sentence)\n", to: STDERR_FILENO)
  }

  /// Writes one line to standard error as it is.
  static func say(_ line: String) {
    write(line + "\n", to: STDERR_FILENO)
  }

  /// Writes text to standard error without an end of line.
  static func draw(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes one line to standard output.
  static func output(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes text to standard output as it is.
  static func picture(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno == EPIPE {
        // Where PIPE is watched for, the write does not raise it for the process.
        kill(getpid(), SIGPIPE)
        return
      } else if errno != EINTR {
        return
      }
    }
  }
}
