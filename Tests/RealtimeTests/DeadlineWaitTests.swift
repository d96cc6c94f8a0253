// SPDX-License-Identifier: Apache-2.0
import Glibc
import Realtime
import Testing

@Suite struct DeadlineWaitTests {
  @Test func `a deadline ends the wait, and not before its time`() throws {
    let wait = try DeadlineWait()
    let deadline = DeadlineWait.now + 20_000_000
    #expect(wait.wait(until: deadline) == .deadline)
    #expect(DeadlineWait.now >= deadline)
    #expect(wait.wait(until: deadline) == .deadline)
  }

  @Test(arguments: [Int64.min, -1, 0])
  func `a deadline in any past ends the wait at once`(deadline: Int64) throws {
    let wait = try DeadlineWait()
    #expect(wait.wait(until: deadline) == .deadline)
    DeadlineWait.sleep(until: deadline)
  }

  @Test func `a deadline at the largest time is accepted`() throws {
    let wait = try DeadlineWait()
    wait.wake()
    #expect(wait.wait(until: .max) == .wakeUp)
  }

  @Test func `the arguments of the process equal those of main`() {
    #expect(ProcessArguments.all == CommandLine.arguments)
    #expect(ProcessArguments.program.hasPrefix("/"))
  }

  @Test func `a wake-up before the wait ends the wait, once`() throws {
    let wait = try DeadlineWait()
    wait.wake()
    wait.wake()
    #expect(wait.wait(until: nil) == .wakeUp)
    #expect(wait.wait(until: DeadlineWait.now + 1_000_000) == .deadline)
  }

  @Test func `another thread can end a wait without a deadline`() throws {
    let wait = try DeadlineWait()
    let thread = try RealtimeThread(name: "waker", priority: 1) {
      usleep(10_000)
      wait.wake()
    }
    #expect(wait.wait(until: nil) == .wakeUp)
    thread.join()
  }

  @Test func `a readable descriptor ends the wait and is named`() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer {
      close(ends[0])
      close(ends[1])
    }
    let wait = try DeadlineWait()
    let past = DeadlineWait.now + 5_000_000
    #expect(wait.wait(until: past, readable: [ends[0]]) == .deadline)
    var byte: UInt8 = 1
    unsafe write(ends[1], &byte, 1)
    #expect(wait.wait(until: nil, readable: [ends[0]]) == .descriptor(0))
  }

  @Test func `locking memory succeeds or throws the reason`() {
    do throws(RealtimeError) {
      try MemoryLocking.lockAll()
      munlockall()
    } catch {
      guard case .cannotLockMemory = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.hasPrefix("memory: "))
    }
  }
}
