// SPDX-License-Identifier: Apache-2.0
import NetworkSockets
import Testing

@Suite struct WakeLimitTests {
  @Test func `it closes after too many looks until the period is over`() {
    var limit = WakeLimit(most: 3)
    let start: Int64 = 5_000_000_000
    for look in 0..<2 {
      limit.look(at: start + Int64(look))
      #expect(limit.isOpen)
    }
    limit.look(at: start + 2)
    #expect(!limit.isOpen)
    limit.look(at: start + WakeLimit.period - 1)
    #expect(!limit.isOpen)
    limit.look(at: start + WakeLimit.period)
    #expect(limit.isOpen)
  }

  @Test func `infrequent looks never close it`() {
    var limit = WakeLimit(most: 2)
    for second in 0..<100 {
      limit.look(at: Int64(second) * WakeLimit.period)
      #expect(limit.isOpen)
    }
  }
}
