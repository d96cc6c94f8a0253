// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl

/// Standard output or standard error of the process.
///
/// All bytes of a command but those of a song or a sound are written here, so that every failure is
/// reported.
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
  /// If the reader of a pipe is gone, the process ends as by the signal for that. If it does not read,
  /// it is waited for until a signal ends the process.
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

  /// Writes to standard error; bytes that it does not take are lost.
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

  /// True if a reader is at the other end, which may not read; a file on a disk has none.
  private static let mayBlock: Bool = {
    var status = stat()
    return unsafe fstat(STDOUT_FILENO, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }()

  /// Waits until a pipe takes `PIPE_BUF` bytes at once.
  ///
  /// - Returns: false if the process is to end and the reader does not read: waiting for it would keep
  ///   sounding notes.
  private static func waitForRoom() -> Bool {
    // After a signal it does not wait, whatever is left to write.
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

  /// Opens those of the three standard streams that the parent process has closed.
  ///
  /// Otherwise the next file that is opened would have the number of one, and messages would be
  /// written into it. Reading and writing fail as on a closed stream.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The system gives the lowest free number: this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
