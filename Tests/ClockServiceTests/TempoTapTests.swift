// SPDX-License-Identifier: Apache-2.0
import ClockService
import MusicalTime
import Testing

@Suite struct TempoTapTests {
  private func tap(_ times: [Int64]) -> Double? {
    var taps = TempoTap()
    var tempo: Tempo?
    for time in times { tempo = taps.tap(at: HostTime(nanoseconds: time * 1_000_000)) }
    return tempo?.beatsPerMinute.approximation
  }

  @Test func `one tap is not a tempo, two are`() {
    #expect(tap([1000]) == nil)
    #expect(tap([1000, 1500]) == 120)
  }

  @Test func `a tap at once after the last does not count`() {
    #expect(tap([1000, 1001]) == nil && tap([1000, 1000]) == nil)
    #expect(tap([1000, 1020, 1500, 1530, 2000]) == 120)
    #expect(tap([1000, 1060]) == nil && tap([1000, 1061]) == 60_000.0 / 61)
  }

  @Test func `uneven taps are averaged by a straight line`() throws {
    let tempo = try #require(tap([0, 510, 990, 1505, 1995, 2500]))
    #expect(abs(tempo - 120) < 0.5)
  }

  @Test func `a pause starts again, and so does another beat`() {
    #expect(tap([0, 500, 1000, 5000]) == nil)
    #expect(tap([0, 500, 1000, 5000, 6000]) == 60)
    #expect(tap([0, 500, 1000, 1200, 1400]) == 300)
  }
}
