// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ALSAMIDI

/// Tasks that wait for events.
@Suite struct ArrivalWaitersTests {
  @Test func `an arrival after the count was read ends the wait at once`() async {
    let waiters = ArrivalWaiters()
    let seen = waiters.arrivals
    waiters.note()
    await waiters.wait(since: seen)
    #expect(waiters.arrivals == seen + 1)
  }

  @Test func `an arrival resumes all waiting tasks`() async {
    let waiters = ArrivalWaiters()
    await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { await waiters.wait(since: 0) } }
      await Task.yield()
      waiters.note()
      await group.waitForAll()
    }
  }

  @Test func `a cancelled task does not wait, before and after it has begun`() async {
    let waiters = ArrivalWaiters()
    for isBegun in [false, true] {
      let waiting = Task { await waiters.wait(since: 0) }
      if isBegun { for _ in 0..<100 { await Task.yield() } }
      waiting.cancel()
      await waiting.value
    }
    #expect(waiters.arrivals == 0)
  }

  @Test func `a thousand arrivals during a thousand waits resume every task`() async {
    let waiters = ArrivalWaiters()
    let looking = Task {
      var seen = 0
      while seen < 1000 {
        await waiters.wait(since: seen)
        seen = waiters.arrivals
      }
    }
    for _ in 0..<1000 {
      waiters.note()
      await Task.yield()
    }
    await looking.value
  }
}
