// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A thread that serves the nodes of an engine every 2 ms.
final class EngineService: Sendable {
  private let isEnding: Flag
  private let thread: RealtimeThread

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  /// Starts the thread.
  ///
  /// - Parameter body: The work; returns false to end.
  /// - Throws: `RealtimeError`.
  init(_ body: @escaping @Sendable () -> Bool) throws {
    let isEnding = Flag()
    self.isEnding = isEnding
    thread = try RealtimeThread(name: "engine", priority: nil) {
      while !isEnding.value.load(ordering: .acquiring), body() {
        DeadlineWait.sleep(until: DeadlineWait.now + Self.period)
      }
    }
  }

  /// The time between two calls, in nanoseconds.
  private static let period: Int64 = 2_000_000

  /// Ends the thread, and waits for the call that is under way.
  func stop() {
    isEnding.value.store(true, ordering: .releasing)
    if !thread.isCurrent { thread.join() }
  }
}
