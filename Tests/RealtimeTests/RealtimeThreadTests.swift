// SPDX-License-Identifier: Apache-2.0
import Glibc
import Realtime
import Synchronization
import Testing

@Suite struct RealtimeThreadTests {
  @Test func `a thread runs, reports its scheduling, and is joined`() throws {
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
    case .raised: Issue.record("a service was not set")
    }
  }

  /// The kernel's number of the calling thread: the last part of `PID/task/TID`.
  private static func number() -> Int32 {
    var path = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink("/proc/thread-self", &path, path.count)
    let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    let digits = bytes.split(separator: UInt8(ascii: "/")).last ?? []
    return Int32(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  @Test func `a refused priority is requested from the service by another thread`()
    throws
  {
    let asked = Mutex<[(thread: Int32, wanted: Int32, asker: Int32)]>([])
    // A priority that a system never grants.
    let wanted: Int32 = 100
    PriorityService.use { thread, priority in
      guard priority == wanted else { return nil }
      asked.withLock { $0.append((thread, priority, Self.number())) }
      return 7
    }
    defer { PriorityService.use(nil) }
    let ring = RingBuffer<Int32>(minimumCapacity: 1)
    let writer = ring.writer
    let thread = try RealtimeThread(name: "raised", priority: wanted) {
      _ = writer.push(Self.number())
    }
    thread.join()
    #expect(thread.scheduling == .raised(priority: 7) && thread.scheduling.refusal == nil)
    let calls = asked.withLock { $0 }
    #expect(calls.count == 1)
    let call = try #require(calls.first)
    #expect(call.thread == ring.reader.pop() && call.thread != call.asker && call.thread != 0)
    PriorityService.use { _, _ in nil }
    let ordinary = try RealtimeThread(name: "refused", priority: wanted) {}
    ordinary.join()
    #expect(ordinary.scheduling == .ordinary(refusal: EINVAL))
  }

  @Test func `a thread that is not joined is detached`() throws {
    for _ in 0..<50 { _ = try RealtimeThread(name: "loose", priority: 1) {} }
  }
}
