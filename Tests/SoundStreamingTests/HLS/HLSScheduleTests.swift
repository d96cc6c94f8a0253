// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundStreaming

/// The order of segments, with times that the test sets.
struct HLSScheduleTests {
  private func media(
    _ numbers: ClosedRange<Int64>, isComplete: Bool = false, seconds: Double = 4,
    discontinuous: Set<Int64> = []
  ) -> HLSMedia {
    var media = HLSMedia()
    media.targetSeconds = seconds
    media.isComplete = isComplete
    media.segments = numbers.map { number in
      HLSMedia.Segment(
        number: number, resource: .init(address: "http://a/\(number)"), seconds: seconds,
        isDiscontinuous: discontinuous.contains(number))
    }
    return media
  }

  private func number(_ step: HLSSchedule.Step) -> Int64? {
    if case .segment(let segment, _) = step { segment.number } else { nil }
  }

  @Test func `a complete playlist is played from its start to its end`() {
    var schedule = HLSSchedule()
    schedule.take(media(7...9, isComplete: true), at: .zero)
    for expected in Int64(7)...9 {
      #expect(number(schedule.step(at: .zero)) == expected)
      schedule.advance()
    }
    #expect(schedule.step(at: .zero) == .end)
  }

  @Test(arguments: [(0.0, 0, 0.0), (3.9, 0, 3.9), (4, 1, 0), (9.5, 2, 1.5), (100, 2, 4)])
  func `a position is found in its segment`(place: Double, index: Int64, lead: Double) {
    var schedule = HLSSchedule(from: place)
    schedule.take(media(0...2, isComplete: true), at: .zero)
    #expect(number(schedule.step(at: .zero)) == index)
    #expect(abs(schedule.leadSeconds - lead) < 1e-6)
  }

  @Test func `a live stream starts three target durations before its end`() {
    var schedule = HLSSchedule(from: 1)
    schedule.take(media(100...109), at: .zero)
    #expect(number(schedule.step(at: .zero)) == 107 && schedule.leadSeconds == 0)
  }

  @Test func `the playlist is loaded after its target duration, and sooner if it is the same`() {
    var schedule = HLSSchedule()
    schedule.take(media(1...3), at: .seconds(10))
    for _ in 1...3 { schedule.advance() }
    #expect(schedule.step(at: .seconds(11)) == .reload(at: .seconds(14)))
    schedule.take(media(1...3), at: .seconds(14))
    #expect(schedule.step(at: .seconds(14)) == .reload(at: .seconds(16)))
    schedule.take(media(2...4), at: .seconds(16))
    #expect(number(schedule.step(at: .seconds(16))) == 4)
  }

  @Test func `segments that were removed from the playlist are skipped as a gap`() {
    var schedule = HLSSchedule()
    schedule.take(media(1...3), at: .zero)
    schedule.advance()
    schedule.take(media(10...12), at: .seconds(40))
    guard case .segment(let segment, let isDiscontinuous) = schedule.step(at: .seconds(40)) else {
      Issue.record("no segment")
      return
    }
    #expect(segment.number == 10 && isDiscontinuous)
    schedule.advance()
    let next = media(11...11).segments[0]
    #expect(schedule.step(at: .seconds(40)) == .segment(next, isDiscontinuous: false))
  }

  @Test func `a server that restarts its numbers is followed`() {
    var schedule = HLSSchedule()
    schedule.take(media(500...502), at: .zero)
    for _ in 0..<3 { schedule.advance() }
    schedule.take(media(0...5), at: .seconds(4))
    guard case .segment(let segment, let isDiscontinuous) = schedule.step(at: .seconds(4)) else {
      Issue.record("no segment")
      return
    }
    #expect(segment.number == 3 && isDiscontinuous)
  }

  @Test func `a server without new segments is reported after a minute`() {
    var schedule = HLSSchedule()
    schedule.take(media(1...3), at: .zero)
    for _ in 1...3 { schedule.advance() }
    for second in stride(from: 4, to: 60, by: 4) {
      schedule.take(media(1...3), at: .seconds(second))
      guard case .reload = schedule.step(at: .seconds(second)) else {
        Issue.record("\(second)")
        return
      }
    }
    #expect(schedule.step(at: .seconds(61)) == .stalled(.seconds(60)))
  }

  @Test func `a discontinuity is passed on once`() {
    var schedule = HLSSchedule()
    schedule.take(media(0...2, isComplete: true, discontinuous: [1]), at: .zero)
    var flags: [Bool] = []
    while case .segment(_, let isDiscontinuous) = schedule.step(at: .zero) {
      flags.append(isDiscontinuous)
      schedule.advance()
    }
    #expect(flags == [false, true, false])
  }
}
