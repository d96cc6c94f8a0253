// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization

/// A thread of the highest priority that only sleeps: if it wakes too late, the machine itself
/// stopped, and all its threads were late.
package final class HoldUpWatch: Sendable {
  private let stops = Atomic(false)
  private let holdUps = Atomic<Int>(0)
  private let limit: Int64

  /// Number of times that it woke later than the limit.
  package var count: Int { holdUps.load(ordering: .relaxed) }

  /// Watches while a closure runs; `limit` is the lateness that counts, in nanoseconds.
  package static func watch<T>(limit: Int64, _ body: (HoldUpWatch) throws -> T) throws -> T {
    let watch = HoldUpWatch(limit: limit)
    let thread = try RealtimeThread(name: "watch", priority: 90) { watch.run() }
    defer {
      watch.stops.store(true, ordering: .releasing)
      thread.join()
    }
    return try body(watch)
  }

  private init(limit: Int64) { self.limit = limit }

  private func run() {
    while !stops.load(ordering: .acquiring) {
      let due = DeadlineWait.now + 1_000_000
      DeadlineWait.sleep(until: due)
      if DeadlineWait.now - due > limit { holdUps.add(1, ordering: .relaxed) }
    }
  }
}
