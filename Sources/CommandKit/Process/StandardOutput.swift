// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl
internal import Synchronization

/// Standard output: every byte that goes there but a song or a sound passes through here, so that
/// nothing is lost unsaid.
package enum StandardOutput {
  /// The first write that failed; those after it would only leave a gap.
  private static let failure = Mutex<Failure?>(nil)

  /// Writes bytes, all of them.
  ///
  /// Where the reader of a pipe is gone the process ends as by the signal that says so. Where it stands
  /// still it is waited for, until a signal ends the process.
  /// - Throws: `Failure` with status 74, now and from now on.
  package static func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    var done = 0
    while done < bytes.count {
      guard !mayStandStill || waitForRoom() else { return }
      let count = unsafe Glibc.write(
        STDOUT_FILENO, bytes.baseAddress.map { unsafe $0 + done },
        min(bytes.count - done, mayStandStill ? Int(PIPE_BUF) : .max))
      if count >= 0 {
        done += count
      } else if errno == EPIPE, SignalWatch.passOn(SIGPIPE) {
        return
      } else if errno != EINTR {
        throw fail(errno)
      }
    }
  }

  /// Whether a reader is at the other end, who may stand still; a file on a disk has none.
  private static let mayStandStill: Bool = {
    var status = stat()
    return unsafe fstat(STDOUT_FILENO, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }()

  /// Waits until a pipe takes `PIPE_BUF` bytes at once.
  ///
  /// - Returns: false where the process is to end and the reader stands still: who waited for it would
  ///   neither end nor let go of what sounds.
  private static func waitForRoom() -> Bool {
    // Once it is to end nothing is waited for, however much there is still to say.
    while DescriptorPoll.poll(
      STDOUT_FILENO, for: POLLOUT, within: SignalWatch.isEnding ? 0 : 10) == 0
    {
      if SignalWatch.isEnding { return false }
    }
    return true
  }

  /// Writes text as it is.
  package static func write(_ text: String) throws(Failure) {
    var text = text
    // The closure of `withUTF8` takes no typed error through.
    let result = text.withUTF8 { bytes in
      Result { () throws(Failure) in try unsafe write(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Ends the writing; what a disk says only now counts too.
  ///
  /// - Throws: `Failure` with status 74 where anything was lost.
  package static func finish() throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    if close(STDOUT_FILENO) != 0, errno != EBADF { throw fail(errno) }
  }

  private static func fail(_ code: Int32) -> Failure {
    let reason = systemMessage(code)
    let sentence = Failure(.ioError, "standard output: cannot be written: \(reason)")
    return failure.withLock { first in
      first = first ?? sentence
      return sentence
    }
  }

  /// Gives the three standard streams a place where whoever started the process closed them.
  ///
  /// Otherwise the next file that is opened would take the number, and what is said would be
  /// written into it. The place refuses: reading and writing fail as on what is closed.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is given: this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
