// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// A thread that repeats the work of a queue, until it is stopped or the queue is deallocated.
final class QueueFollower: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic(false)
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - pause: the time between two calls of `body`, in nanoseconds.
  ///   - body: the work; returns false to end the thread.
  /// - Throws: `RealtimeError` if the thread cannot be created.
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
    // This thread itself may release the last reference to the queue.
    if !thread.isCurrent { thread.join() }
  }
}
