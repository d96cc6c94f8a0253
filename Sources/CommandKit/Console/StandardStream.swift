// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl

/// Standard output or standard error of the process.
///
/// All bytes of a command except songs and sounds are written here, so every failure is reported.
package enum StandardStream: ConsoleStream {
  case output, messages

  private var descriptor: Int32 {
    switch self {
    case .output: STDOUT_FILENO
    case .messages: STDERR_FILENO
    }
  }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  package var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    switch self {
    case .output: try unsafe Self.writeData(bytes)
    case .messages: unsafe Self.writeMessages(bytes)
    }
  }

  package func finish() throws(Failure) {
    if close(descriptor) != 0, errno != EBADF { throw Self.failure(errno) }
  }

  /// Writes to standard output.
  ///
  /// If the reader of a pipe is gone, the process ends by SIGPIPE. If the reader does not read, it
  /// waits until a signal ends the process.
  private static func writeData(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var done = 0
    while done < bytes.count {
      guard !mayBlock || waitForRoom() else { return }
      let count = unsafe Glibc.write(
        STDOUT_FILENO, bytes.baseAddress.map { unsafe $0 + done },
        min(bytes.count - done, mayBlock ? Int(PIPE_BUF) : .max))
      if count >= 0 {
        done += count
      } else if errno == EPIPE, SignalWatch.passOn(SIGPIPE) {
        return
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
  }

  /// Writes to standard error; bytes that cannot be written are lost.
  private static func writeMessages(_ bytes: UnsafeRawBufferPointer) {
    var done = 0
    while done < bytes.count {
      let count = unsafe Glibc.write(
        STDERR_FILENO, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      if count > 0 {
        done += count
      } else if errno == EPIPE {
        _ = SignalWatch.passOn(SIGPIPE)
        return
      } else if errno != EINTR {
        return
      }
    }
  }

  /// True if a reader at the other end may block writing; false for a file.
  private static let mayBlock: Bool = {
    var status = stat()
    return unsafe fstat(STDOUT_FILENO, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }()

  /// Waits until a pipe accepts `PIPE_BUF` bytes at once.
  ///
  /// - Returns: False if the process is ending and the reader does not read: waiting would keep
  ///   notes sounding.
  private static func waitForRoom() -> Bool {
    // After a signal it does not wait, even if bytes remain.
    while DescriptorPoll.poll(
      STDOUT_FILENO, for: POLLOUT, within: SignalWatch.isEnding ? 0 : 10) == 0
    {
      if SignalWatch.isEnding { return false }
    }
    return true
  }

  private static func failure(_ code: Int32) -> Failure {
    Failure(.ioError, "standard output: cannot be written: \(systemMessage(code))")
  }

  /// Opens the standard streams that the parent process has closed.
  ///
  /// Otherwise the next opened file would get the descriptor of a standard stream, and messages
  /// would be written into it. Reading and writing fail as on a closed stream.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The system returns the lowest free descriptor, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
