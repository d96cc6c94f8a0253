// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TempoMapTests {
  static func map(_ ppqn: Int, _ changes: [(Int64, Int)]) throws -> TempoMap {
    try TempoMap(division: .ppqn(#require(PPQN(ppqn))), changes: changes.map(change))
  }

  static func change(_ tick: Int64, _ microseconds: Int) throws -> TempoChange {
    TempoChange(
      tick: Tick(tick), tempo: try #require(Tempo(microsecondsPerQuarter: microseconds)))
  }

  @Test func `a tick at 480 PPQN and 120 bpm lasts 1 041 666 and two thirds ns`() throws {
    let map = TempoMap(ppqn: try #require(PPQN(480)))
    let time = try map.mediaTime(at: 1, rounding: .nearest)
    #expect(time.value.nanoseconds == 1_041_667)
    #expect(time.residue == Ratio(-1, over: 3))
    #expect(try map.mediaTime(at: 1, rounding: .floor).residue == Ratio(2, over: 3))
    #expect(throws: TimeError.inexact(unit: "nanoseconds")) {
      try map.mediaTime(at: 1, rounding: .exact)
    }
  }

  @Test func `the last change at a tick applies, and without one at 0 it is 120 bpm`() throws {
    let map = try Self.map(480, [(960, 600_000), (960, 250_000), (1920, 1_000_000)])
    #expect(map.seconds(at: 960) == 1)
    #expect(map.seconds(at: 1920) == Ratio(3, over: 2))
    #expect(map.changes.count == 3)
    #expect(map.tempo(at: 959) == .standard)
    #expect(map.tempo(at: 960).microsecondsPerQuarter == 250_000)
  }

  @Test func `ticks below zero extend the first step and ticks past the end the last`() throws {
    let map = try Self.map(480, [(0, 1_000_000), (480, 250_000)])
    #expect(map.seconds(at: -480) == -1)
    #expect(map.seconds(at: 960) == Ratio(5, over: 4))
    #expect(try map.tick(atSeconds: -1, rounding: .exact).value == -480)
    #expect(try map.tick(atSeconds: Ratio(5, over: 4), rounding: .exact).value == 960)
  }

  @Test func `an SMPTE division ignores tempo for time and uses it for beats`() throws {
    let map = try TempoMap(
      division: Division(smfBits: 0xE728), changes: [Self.change(1000, 250_000)])
    #expect(map.seconds(at: 1000) == 1)
    #expect(map.seconds(at: 2000) == 2)
    #expect(try map.quarters(at: 1000) == 2)
    #expect(try map.quarters(at: 2000) == 6)
    #expect(try map.ticks(atQuarters: 4) == 1500)
  }

  @Test func `the limits of 64 bits throw and do not trap`() throws {
    let map = try Self.map(32767, [(0, 42_949_672), (100, 1)])
    #expect(throws: TimeError.overflow("nanoseconds")) {
      try map.mediaTime(at: Tick(.min), rounding: .nearest)
    }
    #expect(try map.mediaTime(at: Tick(.max), rounding: .floor).value.nanoseconds > 0)
    #expect(try map.tick(at: MediaTime(nanoseconds: .min), rounding: .floor).value < 0)
    #expect(throws: TimeError.overflow("ticks")) {
      try map.tick(at: MediaTime(nanoseconds: .max), rounding: .floor)
    }
    #expect(throws: TimeError.self) { try Self.map(1, [(0, 42_949_672), (.max, 1)]) }
    #expect(throws: TimeError.self) { try Self.map(1, [(-1, 500_000)]) }
  }

  @Test func `segments of a timeline meet exactly at every tempo change`() throws {
    let map = try Self.map(480, [(0, 500_000), (333, 461_538), (1001, 333_333)])
    let rate = Ratio(1001, over: 1000)
    let origin = HostTime(nanoseconds: 987_654_321)
    var tick: Tick = 0
    for change in map.changes.dropFirst() {
      let piece = try map.timeline(at: tick, originTick: 17, origin: origin, playRate: rate)
      let next = try map.timeline(
        at: change.tick, originTick: 17, origin: origin, playRate: rate)
      #expect(piece.timeRoundedUp(atCount: change.tick.value) == piece.validUntil)
      #expect(next.timeRoundedUp(atCount: change.tick.value) == piece.validUntil)
      tick = change.tick
    }
    let last = try map.timeline(at: tick, originTick: 17, origin: origin, playRate: rate)
    #expect(last.validUntil.nanoseconds == .max)
    let exact = try (map.seconds(at: 5000) - map.seconds(at: 17)) / rate * Ratio(1_000_000_000)
    let host = try exact.rounded(.ceil).value + origin.nanoseconds
    #expect(last.timeRoundedUp(atCount: 5000).nanoseconds == host)
  }

  @Test func `a play rate at or below zero is refused`() throws {
    let map = TempoMap(ppqn: try #require(PPQN(480)))
    for rate: Ratio in [0, -1] {
      #expect(throws: TimeError.self) {
        try map.timeline(at: 0, originTick: 0, origin: HostTime.zero, playRate: rate)
      }
    }
  }

  @Test(arguments: [[1, 2, 3, 4, 5], [1, 1 << 40, (1 << 40) + 1, (1 << 62) - 1], [.max]])
  func `dense changes and changes near the limit of 64 bits are all found`(_ keys: [Int64]) throws {
    let changes = try keys.enumerated().map { index, key in
      TempoChange(
        tick: Tick(key), tempo: try #require(Tempo(tenNanosecondsPerQuarter: UInt32(1 + index % 2)))
      )
    }
    let first = TempoChange(tick: 0, tempo: try #require(Tempo(tenNanosecondsPerQuarter: 1)))
    let map = try TempoMap(division: .ppqn(#require(PPQN(32767))), changes: [first] + changes)
    var cursor = map.makeCursor()
    for key in keys {
      for tick in [key - 1, key, key == .max ? key : key + 1] {
        let exact = try (map.seconds(at: Tick(tick)) * 1_000_000_000).rounded(.floor)
        let walked = try TempoMapPropertyTests.slowSeconds(map, 32767, at: tick)
        #expect(map.seconds(at: Tick(tick)) == walked)
        let answer = try map.mediaTime(at: Tick(tick), rounding: .floor)
        #expect(answer.map(\.nanoseconds) == exact)
        #expect(try cursor.mediaTime(at: Tick(tick), rounding: .floor) == answer)
        #expect(try map.ticks(atSeconds: walked) == Ratio(tick))
      }
    }
  }

  @Test(arguments: ["90", "120", "130", "97.5", "84.608", "89.999", "29.97"])
  func `the shortest number for a tempo is the typed one`(text: String) throws {
    let typed = try Ratio(parsing: text)
    #expect(try Tempo(beatsPerMinute: typed).shortestBeatsPerMinute() == typed)
  }
}
