// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct EventSchedulerTests {
  private static let second: Int64 = 1_000_000_000

  /// 120, 90, 240 and 61.7 beats per minute, changing at ticks 0, 960, 1440 and 4801.
  private func map() throws -> TempoMap {
    let ppqn = try #require(PPQN(480))
    return try TempoMap(
      division: .ppqn(ppqn),
      changes: [
        TempoChange(tick: 0, tempo: try #require(Tempo(microsecondsPerQuarter: 500_000))),
        TempoChange(tick: 960, tempo: try #require(Tempo(microsecondsPerQuarter: 666_667))),
        TempoChange(tick: 1440, tempo: try #require(Tempo(microsecondsPerQuarter: 250_000))),
        TempoChange(tick: 4801, tempo: try #require(Tempo(microsecondsPerQuarter: 972_447))),
      ])
  }

  private func times(cutAt limits: [Int64], rate: Ratio = 1, from tick: Tick = 0) throws -> [Int64]
  {
    let sink = RecordingSink()
    let scheduler = EventScheduler(
      clock: try MusicClock(tempoMap: map(), playRate: rate),
      sources: [ScriptedSource(spacing: 7)], router: Router(sinks: [sink]))
    try scheduler.start(from: tick, at: ReferenceTime(nanoseconds: 20_000_000))
    for limit in limits { try scheduler.step(to: ReferenceTime(nanoseconds: limit)) }
    return sink.events.map(\.time.nanoseconds)
  }

  @Test func `every event has the time of the tempo map, rounded up`() throws {
    let map = try map()
    let times = try times(cutAt: [12 * Self.second])
    #expect(times.count > 1000)
    for (index, time) in times.enumerated() {
      let exact = try map.mediaTime(at: Tick(Int64(index) * 7), rounding: .ceil).value
      #expect(time == 20_000_000 + exact.nanoseconds)
    }
  }

  @Test(arguments: 1...20)
  func `windows of any length give the same events`(seed: Int) throws {
    let whole = try times(cutAt: [12 * Self.second])
    var generator = SplitMix(seed: UInt64(seed))
    var limits = (0..<400).map { _ in Int64.random(in: 0...12 * Self.second, using: &generator) }
    limits.append(12 * Self.second)
    #expect(try times(cutAt: limits.sorted()) == whole)
  }

  @Test func `a play rate of three halves divides every distance by it`() throws {
    let written = try times(cutAt: [6 * Self.second])
    let fast = try times(cutAt: [6 * Self.second], rate: Ratio(3, over: 2))
    for (index, time) in written.enumerated() where index < fast.count {
      let exact = Double(time - 20_000_000) / 1.5
      #expect(abs(Double(fast[index] - 20_000_000) - exact) <= 2)
    }
  }

  @Test func `a start inside the song sounds its first event at the start`() throws {
    let times = try times(cutAt: [Self.second], from: 2100)
    #expect(times.first == 20_000_000)
  }

  @Test(arguments: 1...10)
  func `a command after events have left loses and repeats nothing`(
    seed: Int
  ) throws {
    let whole = try times(cutAt: [4 * Self.second])
    let sinks = [RecordingSink(), RecordingSink()]
    let scheduler = EventScheduler(
      clock: try MusicClock(tempoMap: map()), sources: [ScriptedSource(spacing: 7)],
      router: Router(sinks: sinks))
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: 20_000_000))
    var random = SplitMix(seed: UInt64(seed))
    var position = ReferenceTime.zero
    while position.nanoseconds < 4 * Self.second {
      position = position.advanced(byNanoseconds: Int64(random.next() % 10_000_000))
      try scheduler.step(at: position)
      guard random.next() % 3 == 0 else { continue }
      for sink in sinks {
        // Up to twice the limit to which events were sent.
        let taken = position.advanced(byNanoseconds: Int64(random.next() % 40_000_000))
        sink.taken = max(taken, sink.taken ?? taken)
      }
      try scheduler.interrupt { _, _, _ in }
    }
    for sink in sinks {
      #expect(
        sink.events.map(\.time.nanoseconds).sorted().filter { $0 < 4 * Self.second }
          == whole.filter { $0 < 4 * Self.second })
    }
  }

  @Test func `no events before the start or after silencing`() throws {
    let sink = RecordingSink()
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try map()), sources: [ScriptedSource(spacing: 7)],
      router: Router(sinks: [sink]))
    try scheduler.step(to: ReferenceTime(nanoseconds: Self.second))
    #expect(sink.events.isEmpty)
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: 2 * Self.second))
    try scheduler.silence(at: ReferenceTime(nanoseconds: 2 * Self.second))
    try scheduler.step(to: ReferenceTime(nanoseconds: 3 * Self.second))
    #expect(sink.events.isEmpty)
  }
}
