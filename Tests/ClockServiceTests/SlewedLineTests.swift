// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@testable import ClockService

@Suite struct SlewedLineTests {
  /// At such distances a count is not accurate to a billionth, so that the target is never quite
  /// reached.
  @Test(.timeLimit(.minutes(1)))
  func `positions decades ahead are found at once`() throws {
    let period = 20_833_333.37
    let far = 1_000_000_000 + Int64(period * 5e10)
    let start = HostTime(nanoseconds: 1_000_000_000)
    var line = SlewedLine(farthest: 12)
    line.start(
      along: TickLine(count: 0, anchor: start.nanoseconds, offset: 0, period: period), at: start)
    let told = TickLine(count: 50_000_000_000, anchor: far, offset: 0.3, period: period)
    let hasJumped = line.follow(told, at: start.advanced(byNanoseconds: 20_000_000))
    #expect(!hasJumped)
    let piece = try #require(line.piece(at: HostTime(nanoseconds: far)))
    let count = Double(piece.count) + piece.counts(to: HostTime(nanoseconds: far))
    #expect(abs(count - 50_000_000_000) < 0.01)
    // At the end of time, too.
    let end = HostTime(nanoseconds: .max)
    #expect(line.piece(at: end)?.end == end)
    _ = line.follow(told, at: end)
    #expect(line.piece(at: end)?.end == end)
  }
}
