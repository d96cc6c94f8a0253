// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// A thread that tells of a queue's events until it is stopped, or the queue is gone.
final class QueueFollower: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic(false)
  }

  init(_ body: @escaping @Sendable () -> Bool) throws(RealtimeError) {
    let stopping = Stopping()
    self.stopping = stopping
    thread = try RealtimeThread(name: "queue", priority: nil) {
      while !stopping.isAsked.load(ordering: .acquiring), body() {
        DeadlineWait.sleep(until: DeadlineWait.now + 2_000_000)
      }
    }
  }

  func stop() {
    stopping.isAsked.store(true, ordering: .releasing)
    // The last one to let go of the queue may be this very thread.
    if !thread.isCurrent { thread.join() }
  }
}
