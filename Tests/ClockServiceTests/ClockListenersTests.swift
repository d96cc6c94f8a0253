// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import ClockService

/// The delivery of a clock's events.
@Suite struct ClockListenersTests {
  @Test func `an event is delivered once the resulting state is published`() async throws {
    let listeners = try ClockListeners()
    let isPublished = Atomic(false)
    let toldCount = Atomic(0)
    let earlyCount = Atomic(0)
    _ = listeners.observers.add { _ in
      if !isPublished.load(ordering: .acquiring) { earlyCount.add(1, ordering: .relaxed) }
      toldCount.add(1, ordering: .releasing)
    }
    try listeners.start()
    for round in 0..<200 {
      isPublished.store(false, ordering: .releasing)
      listeners.note(.armed)
      // Time in which it would be delivered.
      usleep(500)
      isPublished.store(true, ordering: .releasing)
      listeners.notePublished()
      await wait { toldCount.load(ordering: .acquiring) == round + 1 }
    }
    #expect(toldCount.load(ordering: .acquiring) == 200)
    #expect(earlyCount.load(ordering: .acquiring) == 0)
  }

  @Test func `events that were not published are delivered at the end`() throws {
    let listeners = try ClockListeners()
    let toldCount = Atomic(0)
    _ = listeners.observers.add { _ in toldCount.add(1, ordering: .relaxed) }
    try listeners.start()
    listeners.note(.armed)
    listeners.note(.disarmed)
    listeners.end()
    #expect(toldCount.load(ordering: .relaxed) == 2)
  }
}
