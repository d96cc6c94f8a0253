// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units
internal import Synchronization

/// Standard error, which can be hidden while libraries and plug-ins write messages that are useless
/// to the user.
package enum StandardError {
  /// The number of calls that hide the stream, and the original stream.
  private struct Silence {
    var count = 0
    var kept: Int32 = -1
  }

  private static let silence = Mutex(Silence())
  /// The descriptor of the original standard error.
  private static let visible = Atomic<Int32>(STDERR_FILENO)

  /// The descriptor for messages that must be printed even while the stream is hidden.
  package static var descriptor: Int32 { visible.load(ordering: .acquiring) }

  /// Calls a closure while everything written to standard error is hidden.
  ///
  /// Lilv complains there about every file that it cannot read, and plug-ins write anything. It
  /// affects the whole process, so use it only while no messages are printed.
  package static func silenced<Result, Problem: Error>(
    _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    silence.withLock { begin(&$0) }
    defer { silence.withLock { end(&$0) } }
    return try body()
  }

  private static func setVisible(_ descriptor: Int32) {
    visible.store(descriptor, ordering: .releasing)
    LV2LastWords.report(to: descriptor)
  }

  private static func begin(_ silence: inout Silence) {
    silence.count += 1
    guard silence.count == 1 else { return }
    silence.kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    if silence.kept >= 0 {
      setVisible(silence.kept)
      dup2(nowhere, STDERR_FILENO)
    }
    close(nowhere)
  }

  private static func end(_ silence: inout Silence) {
    silence.count -= 1
    guard silence.count == 0, silence.kept >= 0 else { return }
    dup2(silence.kept, STDERR_FILENO)
    setVisible(STDERR_FILENO)
    close(silence.kept)
    silence.kept = -1
  }
}
