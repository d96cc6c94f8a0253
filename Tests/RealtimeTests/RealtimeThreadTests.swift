// SPDX-License-Identifier: Apache-2.0
import Glibc
import Realtime
import Testing

@Suite struct RealtimeThreadTests {
  @Test func `a thread runs, says how it is scheduled, and is joined`() throws {
    let ring = RingBuffer<Int32>(minimumCapacity: 1)
    let writer = ring.writer
    let thread = try RealtimeThread(name: "test", priority: 5) {
      _ = writer.push(sched_getscheduler(0))
    }
    thread.join()
    switch thread.scheduling {
    case .firstInFirstOut(let priority):
      #expect(priority == 5)
      #expect(ring.reader.pop() == SCHED_FIFO)
    case .ordinary(let refusal):
      #expect(refusal == EPERM)
      #expect(ring.reader.pop() == SCHED_OTHER)
    }
  }

  @Test func `a thread that nobody joins is let go`() throws {
    for _ in 0..<50 { _ = try RealtimeThread(name: "loose", priority: 1) {} }
  }
}
