// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization
import Testing

@Suite struct MailboxTests {
  @Test func `letters are read once, in the order they were posted`() {
    let mailbox = Mailbox<Int>()
    for letter in 0..<5 { mailbox.post(letter) }
    var taken: [Int] = []
    mailbox.takeEach { taken.append($0) }
    mailbox.takeEach { taken.append($0) }
    mailbox.post(9)
    mailbox.takeEach { taken.append($0) }
    #expect(taken == [0, 1, 2, 3, 4, 9])
  }

  private final class Witness: Sendable {
    static let alive = Atomic(0)
    init() { Self.alive.add(1, ordering: .relaxed) }
    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  @Test func `letters that were read are freed by the next post, the rest with the mailbox`() {
    var mailbox: Mailbox<Witness>? = Mailbox()
    mailbox?.post(Witness())
    mailbox?.takeEach { _ in }
    #expect(Witness.alive.load(ordering: .relaxed) == 1)
    mailbox?.post(Witness())
    #expect(Witness.alive.load(ordering: .relaxed) == 1)
    mailbox = nil
    #expect(Witness.alive.load(ordering: .relaxed) == 0)
  }

  @Test func `many threads post without losing letters`() throws {
    let mailbox = Mailbox<Int>()
    let threads = try (0..<4).map { thread in
      try RealtimeThread(name: "poster", priority: 1) {
        for letter in 0..<5000 { mailbox.post(thread * 5000 + letter) }
      }
    }
    var last = [-1, -1, -1, -1]
    var count = 0
    while count < 20_000 {
      mailbox.takeEach { letter in
        #expect(letter % 5000 == last[letter / 5000] + 1)
        last[letter / 5000] = letter % 5000
        count += 1
      }
    }
    for thread in threads { thread.join() }
    #expect(last == [4999, 4999, 4999, 4999])
  }
}
