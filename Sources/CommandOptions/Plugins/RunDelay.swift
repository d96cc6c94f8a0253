// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The time in which the calling thread was ready to run but other threads had the processor.
///
/// The waits of a plug-in count towards its time, but not this time.
///
/// Source: Documentation/scheduler/sched-stats.rst of Linux.
final class RunDelay {
  private let file: Int32

  /// Opens the counter of the calling thread.
  init() {
    file = unsafe open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// The time so far, in nanoseconds; 0 if the kernel does not count it.
  var nanoseconds: Int64 {
    guard file >= 0 else { return 0 }
    // Three numbers: time on the processor, time waiting for it, and the number of times.
    var text = [UInt8](repeating: 0, count: 64)
    let count = unsafe pread(file, &text, text.count, 0)
    guard count > 0 else { return 0 }
    let words = text[..<count].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return words.count > 1 ? Int64(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
  }
}
