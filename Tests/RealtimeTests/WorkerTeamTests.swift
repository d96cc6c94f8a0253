// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization
import Testing

@Suite struct WorkerTeamTests {
  @Test(arguments: [1, 2, 5])
  func `each job is done once, and all before the call returns`(threadCount: Int) throws {
    let team = try WorkerTeam(threadCount: threadCount)
    #expect(team.threadCount == threadCount)
    for count in [0, 1, 3, 100] {
      let done = Mutex([Int](repeating: 0, count: count))
      for _ in 0..<20 { team.run(count) { job in done.withLock { $0[job] += 1 } } }
      #expect(done.withLock { $0.allSatisfy { $0 == 20 } })
    }
  }

  @Test(arguments: [1, 2, 5])
  func `jobs run while the caller does something else`(threadCount: Int) throws {
    let team = try WorkerTeam(threadCount: threadCount)
    team.finish()
    let done = Atomic(0)
    for round in 1...20 {
      team.start(10) { _ in done.add(1, ordering: .relaxed) }
      while threadCount > 1, done.load(ordering: .relaxed) < round * 10 {}
      team.finish()
      #expect(done.load(ordering: .relaxed) == round * 10)
    }
  }
}
