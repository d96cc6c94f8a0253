// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct MIDIClockGeneratorTests {
  private static let second: Int64 = 1_000_000_000
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"

  /// 120, 90, 240 and 61.7 beats per minute, at resolutions that are and are not multiples of 24.
  private func map(ppqn: Int) throws -> TempoMap {
    let quarter = Int64(ppqn)
    return try .steps(
      [(0, 500_000), (2 * quarter, 666_667), (3 * quarter + 1, 250_000), (11 * quarter, 972_447)],
      ppqn: ppqn)
  }

  private func rig(
    _ map: TempoMap, standing: Bool = false, position: Bool = true, playRate: Ratio = 1
  ) -> GeneratorRig {
    let generator = MIDIClockGenerator(
      tempoMap: map, sendsWhileStanding: standing, sendsSongPosition: position)
    return GeneratorRig(generator, map: map, playRate: playRate)
  }

  @Test(arguments: [480, 100, 96, 32767, 1])
  func `every clock has the time of the tempo map, rounded up`(ppqn: Int) throws {
    let map = try map(ppqn: ppqn)
    var rig = rig(map)
    try rig.start(from: 0, at: Self.second)
    try rig.run(to: 13 * Self.second)
    let clocks = rig.times(of: "F8")
    #expect(clocks.count > 300)
    for (index, time) in clocks.enumerated() {
      let exact = try map.seconds(atQuarters: Ratio(Int64(index), over: 24)) * 1_000_000_000
      #expect(time == Self.second + Int64(try exact.rounded(.ceil, unit: "ns").value))
    }
  }

  @Test(arguments: 1...20)
  func `windows of any length give the same events`(seed: Int) throws {
    var whole = rig(try map(ppqn: 100), standing: true)
    var cut = rig(try map(ppqn: 100), standing: true)
    var random = SplitMix(seed: UInt64(seed))
    let limits = (0..<400).map { _ in Int64.random(in: 0...9 * Self.second, using: &random) }
    for tick: Int64 in [0, 1301] {
      let start = whole.end.nanoseconds + 2 * Self.second
      // Messages without a time are sent at the start of a window.
      try whole.start(from: Tick(tick), at: start)
      try cut.start(from: Tick(tick), at: start)
      for limit in limits.sorted() {
        try cut.run(to: max(cut.end.nanoseconds, start - 2 * Self.second + limit))
      }
      try whole.run(to: start + 8 * Self.second)
      try cut.run(to: start + 8 * Self.second)
      #expect(cut.sent.map(\.bytes) == whole.sent.map(\.bytes))
      #expect(cut.sent.map(\.time) == whole.sent.map(\.time))
      whole.stop(at: start + 7 * Self.second + 1)
      cut.stop(at: start + 7 * Self.second + 1)
    }
  }

  @Test(arguments: [60_000, 100_000, 197_368, 461_538, 500_000, 3_000_000])
  func `a Start is sent a millisecond to a clock before the downbeat`(tempo: Int) throws {
    for standing in [false, true] {
      var rig = rig(try .constant(tempo), standing: standing)
      try rig.run(to: Self.second)
      try rig.start(from: 0, at: 2 * Self.second)
      try rig.run(to: 5 * Self.second)
      let start = try #require(rig.times(of: "FA").first)
      let clocks = rig.times(of: "F8").filter { $0 > start }
      #expect(clocks.first == 2 * Self.second)
      #expect(2 * Self.second - start >= 1_000_000)
      #expect(2 * Self.second - start <= Int64(tempo) * 1000 / 24)
      #expect(rig.announced == ["FA"])
      #expect(standing == rig.times(of: "F8").contains { $0 < start })
    }
  }

  @Test func `a start on the beat of a stopped clock continues its clocks without a gap`() throws {
    let generator = MIDIClockGenerator(tempoMap: try .constant(461_538))
    var rig = GeneratorRig(generator, map: try .constant(461_538))
    try rig.run(to: 2 * Self.second)
    let start = try #require(
      generator.nextStandingClock(atOrAfter: ReferenceTime(nanoseconds: 2 * Self.second)))
    try rig.start(from: 0, at: start.nanoseconds)
    try rig.run(to: 4 * Self.second)
    rig.stop(at: 3 * Self.second + 7_654_321)
    try rig.run(to: 5 * Self.second)
    let clocks = rig.times(of: "F8")
    #expect(clocks.count == 261)
    for (first, second) in zip(clocks, clocks.dropFirst()) {
      #expect(abs(second - first - 461_538_000 / 24) <= 1)
    }
    #expect(rig.announced == ["FA", "FC"])
  }

  @Test func `a start inside a sixteenth waits for the next one`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 1301, at: 2 * Self.second)
    try rig.run(to: 3 * Self.second)
    // Tick 1301 is in sixteenth 10, which ends at tick 1320: 19 ticks later.
    #expect(rig.announced == ["F2 0B 00", "FB"])
    let boundary = 2 * Self.second + (19 * 500_000_000 + 479) / 480
    #expect(rig.times(of: "F8").first == boundary)
    #expect(rig.times(of: "FB") == [boundary - 10_000_000])
    #expect(rig.times(of: "F2 0B 00") == [0])
  }

  @Test func `a pause at a sixteenth continues without a song position`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 0, at: Self.second)
    try rig.run(to: 2 * Self.second)
    rig.stop(at: Self.second + 500_000_000)
    try rig.run(to: 2 * Self.second)
    try rig.start(from: 480, at: 3 * Self.second)
    try rig.run(to: 4 * Self.second)
    #expect(rig.announced == ["FA", "FC", "FB"])
    #expect(rig.times(of: "F8").filter { $0 < 2 * Self.second }.count == 24)
  }

  @Test func `a pause inside a sixteenth continues at the next, with a song position`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 0, at: Self.second)
    try rig.run(to: 2 * Self.second)
    rig.stop(at: Self.second + 700_000_000)
    try rig.run(to: 2 * Self.second)
    try rig.start(from: 672, at: 3 * Self.second)
    try rig.run(to: 4 * Self.second)
    #expect(rig.announced == ["FA", "FC", "F2 06 00", "FB"])
  }

  @Test func `messages queued beyond a stop are sent again`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 0, at: Self.second)
    try rig.run(to: 3 * Self.second)
    rig.stop(at: 2 * Self.second)
    try rig.run(to: 3 * Self.second)
    #expect(rig.times(of: "F8").count == 48)
    #expect(rig.times(of: "FC") == [2 * Self.second])
    try rig.start(from: 960, at: 4 * Self.second)
    try rig.run(to: 4 * Self.second + 1)
    #expect(rig.announced == ["FA", "FC", "FB"])
  }

  @Test func `messages before a start that were cancelled are sent again`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 960, at: Self.second)
    try rig.run(to: Self.second + 1)
    #expect(rig.announced == ["F2 08 00", "FB"])
    rig.rewind(to: 0)
    try rig.run(to: Self.second + 1)
    #expect(rig.announced == ["F2 08 00", "FB"])
    #expect(rig.times(of: "F8") == [Self.second])
  }

  @Test func `a locate while running sends Stop, the position and Continue`() throws {
    var rig = rig(try .constant(500_000))
    try rig.start(from: 0, at: Self.second)
    try rig.run(to: 2 * Self.second)
    rig.generator.locate(to: 7680)
    try rig.start(from: 7680, at: 2 * Self.second + 100_000_000)
    try rig.run(to: 3 * Self.second)
    #expect(rig.announced == ["FA", "FC", "F2 40 00", "FB"])
    let stop = try #require(rig.times(of: "FC").first)
    #expect(rig.times(of: "F2 40 00") == [stop + 1_000_000])
    #expect(!rig.times(of: "F8").contains { (stop..<stop + 100_000_000).contains($0) })
  }

  @Test func `beyond the range of song position, only clocks continue`() throws {
    let beyond = Tick(16384 * 120)
    var silent = rig(try .constant(500_000))
    try silent.start(from: beyond, at: Self.second)
    try silent.run(to: 2 * Self.second)
    #expect(silent.sent.isEmpty)
    var rig = rig(try .constant(500_000), standing: true)
    try rig.start(from: beyond, at: Self.second)
    try rig.run(to: 2 * Self.second)
    #expect(rig.announced.isEmpty)
    #expect(rig.times(of: "F8").contains(Self.second))
  }

  @Test func `a running song passes the last song position without a break`() throws {
    var rig = rig(try .constant(10_000))
    try rig.start(from: Tick(16383 * 120), at: Self.second)
    try rig.run(to: 2 * Self.second)
    #expect(rig.announced == ["F2 7F 7F", "FB"])
    #expect(rig.times(of: "F8").count == 2400)
  }

  @Test func `without song positions a start elsewhere is only a Continue`() throws {
    var rig = rig(try .constant(500_000), position: false)
    try rig.start(from: 1301, at: 2 * Self.second)
    try rig.run(to: 3 * Self.second)
    #expect(rig.announced == ["FB"])
  }

  @Test func `followers do not count a count-in before the song`() throws {
    var rig = rig(try .constant(500_000), standing: true)
    try rig.start(from: -480, at: Self.second)
    try rig.run(to: 2 * Self.second)
    let start = try #require(rig.times(of: "FA").first)
    #expect(rig.times(of: "F8").first { $0 > start } == Self.second + 500_000_000)
  }

  @Test func `a start that waits for a master is sent at once`() throws {
    let generator = MIDIClockGenerator(tempoMap: try .constant(500_000))
    var buffer = EventBuffer()
    generator.prepareStart(at: 960, time: nil)
    let window = ReferenceTime(nanoseconds: 5)..<ReferenceTime(nanoseconds: Self.second)
    generator.emitStanding(window, nanosecondsPerQuarter: 500_000_000, into: &buffer)
    let messages = buffer.events.map { event -> UInt8 in
      guard case .message(let message) = event.payload else { return 0 }
      return message.status
    }
    #expect(messages == [0xF2, 0xFB])
    #expect(buffer.events.allSatisfy { $0.time.nanoseconds == 5 })
  }

  @Test(.timeLimit(.minutes(1)))
  func `a clock that runs a million times too fast does not overload a cable`() throws {
    let generator = MIDIClockGenerator(tempoMap: try .constant(500_000))
    generator.prepareStart(at: 0, time: .zero)
    let line = Timeline<Tick, ReferenceTime>(
      countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1 << 20,
      validUntil: ReferenceTime(nanoseconds: .max))
    var buffer = EventBuffer(capacity: 64)
    for step in 0..<Int64(4) {
      let start = ReferenceTime(nanoseconds: step * 5_000_000)
      generator.emit(start..<start.advanced(byNanoseconds: 5_000_000), along: line, into: &buffer)
    }
    // A Start, and in each window the maximum number of clocks.
    #expect(buffer.events.count == 1 + 4 * 4_096)
    #expect(buffer.events.last?.time.nanoseconds ?? 0 >= 15_000_000)
    generator.rewind(to: ReferenceTime(nanoseconds: 1))
  }

  @Test(.timeLimit(.minutes(1)))
  func `at an impossible tempo, a stopped clock sends no more than a cable carries`()
    throws
  {
    let generator = MIDIClockGenerator(tempoMap: try .constant(500_000))
    var buffer = EventBuffer(capacity: 64)
    for step in 0..<Int64(4) {
      let start = ReferenceTime(nanoseconds: step * 5_000_000_000)
      generator.emitStanding(
        start..<start.advanced(byNanoseconds: 5_000_000_000), nanosecondsPerQuarter: 1,
        into: &buffer)
    }
    #expect(buffer.events.count == 4 * 50_000)
    generator.rewind(to: ReferenceTime(nanoseconds: 1))
  }

  /// 7 beats per minute, and in long tests 120 and others.
  @Test(arguments: isLong ? [8_571_429, 500_000, 448_766, 461_539] : [8_571_429])
  func `after 24 hours the count is exact and the last clock within a nanosecond`(
    tempo: Int
  ) throws {
    let day: Int64 = 86_400 * Self.second
    var buffer = EventBuffer()
    let map = try TempoMap.constant(tempo)
    let generator = MIDIClockGenerator(tempoMap: map)
    let run = TempoRun(map: map, tick: 0, time: .zero)
    generator.prepareStart(at: 0, time: .zero)
    var count: Int64 = 0
    var last: Int64 = 0
    var from = ReferenceTime.zero
    while from.nanoseconds < day {
      let limit = from.advanced(byNanoseconds: 20 * Self.second)
      try run.forEachPiece(of: from..<limit) { part, timeline in
        generator.emit(part, along: timeline, into: &buffer)
      }
      for event in buffer.events {
        guard case .message(let message) = event.payload, message.status == 0xF8 else { continue }
        count += 1
        last = event.time.nanoseconds
      }
      buffer.removeAll()
      from = limit
    }
    let period = Int128(tempo) * 1000
    #expect(Int128(count) == (Int128(day) * 24 + period - 1) / period)
    #expect(Int128(last) == (Int128(count - 1) * period + 23) / 24)
  }
}
