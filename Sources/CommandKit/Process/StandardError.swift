// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units
internal import Synchronization

/// Where libraries and plug-ins write what concerns nobody who uses the command.
package enum StandardError {
  /// How many want nothing to be seen, and the stream as it was before.
  private struct Silence {
    var count = 0
    var kept: Int32 = -1
  }

  private static let silence = Mutex(Silence())
  /// The descriptor of standard error as it was before anything was silenced.
  private static let visible = Atomic<Int32>(STDERR_FILENO)

  /// The descriptor for messages that must be printed even while libraries are silenced.
  package static var descriptor: Int32 { visible.load(ordering: .acquiring) }

  /// Calls a closure, and lets nothing of what is written to standard error meanwhile be seen.
  ///
  /// Lilv complains there of every file that it cannot read, plug-ins of what they like. It holds for
  /// the whole process: only where a person is told nothing meanwhile.
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
