// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Realtime
internal import Synchronization

/// A thread that does one thing again and again, until it is stopped or its owner is gone.
final class RepeatingThread: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic<Bool>(false)
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - pause: microseconds between two times.
  ///   - body: what it does; false where the owner is gone.
  /// - Throws: where no thread can be had.
  init(name: String, pause: UInt32, _ body: @escaping @Sendable () -> Bool) throws {
    let stopping = Stopping()
    self.stopping = stopping
    thread = try RealtimeThread(name: name, priority: nil) {
      while !stopping.isAsked.load(ordering: .acquiring), body() { usleep(pause) }
    }
  }

  func stop() {
    stopping.isAsked.store(true, ordering: .releasing)
    // The last one to let go of the owner may be this very thread.
    if !thread.isCurrent { thread.join() }
  }
}
