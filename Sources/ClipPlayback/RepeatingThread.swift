// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Realtime
internal import Synchronization

/// A thread that calls a function at intervals, until it is stopped or its owner is released.
final class RepeatingThread: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic<Bool>(false)
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - pause: The interval between calls in microseconds.
  ///   - body: The function; returns false if the owner was released.
  /// - Throws: An error if the thread cannot be created.
  init(name: String, pause: UInt32, _ body: @escaping @Sendable () -> Bool) throws {
    let stopping = Stopping()
    self.stopping = stopping
    thread = try RealtimeThread(name: name, priority: nil) {
      while !stopping.isAsked.load(ordering: .acquiring), body() { usleep(pause) }
    }
  }

  func stop() {
    stopping.isAsked.store(true, ordering: .releasing)
    // The last reference to the owner can be released on this thread.
    if !thread.isCurrent { thread.join() }
  }
}
