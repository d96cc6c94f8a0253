// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// A thread that does a queue's work until it is stopped, or the queue is gone.
final class QueueFollower: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic(false)
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - pause: nanoseconds between two turns.
  ///   - body: a turn; returns whether there will be another.
  /// - Throws: `RealtimeError` where no thread can be had.
  init(pause: Int64 = 2_000_000, _ body: @escaping @Sendable () -> Bool) throws(RealtimeError) {
    let stopping = Stopping()
    self.stopping = stopping
    thread = try RealtimeThread(name: "queue", priority: nil) {
      while !stopping.isAsked.load(ordering: .acquiring), body() {
        if pause > 0 { DeadlineWait.sleep(until: DeadlineWait.now + pause) }
      }
    }
  }

  func stop() {
    stopping.isAsked.store(true, ordering: .releasing)
    // The last one to let go of the queue may be this very thread.
    if !thread.isCurrent { thread.join() }
  }
}
