// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A thread with its own working directory, which the threads that it starts share.
enum FolderThread {
  /// `unshare(2)`, which Swift does not import.
  private static let unshare: (@convention(c) (Int32) -> Int32)? =
    unsafe dlsym(nil, "unshare").map { symbol in
      unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    }

  /// `CLONE_FS`.
  private static let workingFolder: Int32 = 0x200

  /// True if the system allows it; a container may not.
  static let isAllowed = call(in: "/") { true } ?? false

  /// Calls a closure on such a thread and waits for its end.
  ///
  /// - Parameters:
  ///   - folder: the working directory.
  ///   - body: the closure.
  /// - Returns: its result; nil if the working directory cannot be set.
  static func call<Result: Sendable>(
    in folder: String, _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    let outcome = Outcome<Result>()
    let end = DispatchSemaphore(value: 0)
    let thread = Thread {
      if unshare?(workingFolder) == 0, unsafe chdir(folder) == 0 { outcome.set(body()) }
      end.signal()
    }
    // As much as the main thread of a process has.
    thread.stackSize = 8 << 20
    thread.start()
    end.wait()
    return outcome.result
  }

  private final class Outcome<Result: Sendable>: Sendable {
    private let kept = Mutex<Result?>(nil)

    var result: Result? { kept.withLock { $0 } }

    func set(_ result: Result) { kept.withLock { $0 = result } }
  }
}
