// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// Servers that take their time to answer.
  @Suite struct JACKOpeningTests {
    @Test func `a server that hangs is not waited for, and can be used once it answers`()
      async throws
    {
      let answers = Atomic(false)
      let isOver = Atomic(false)
      func open(within limit: Int64) -> JACKError? {
        #expect(throws: JACKError.self) {
          _ = try JACKOpening.handle(of: .pipewire, within: limit) { () throws(JACKError) in
            while !answers.load(ordering: .acquiring) { usleep(1_000) }
            isOver.store(true, ordering: .releasing)
            throw .refused(.pipewire, status: 1)
          }
        }
      }
      #expect(open(within: 20_000_000) == .noAnswer(.pipewire))
      // No caller waits again.
      #expect(open(within: .max / 2) == .noAnswer(.pipewire))
      answers.store(true, ordering: .releasing)
      #expect(await wait { isOver.load(ordering: .acquiring) })
      #expect(await wait { open(within: 10_000_000_000) == .refused(.pipewire, status: 1) })
    }
  }
}
