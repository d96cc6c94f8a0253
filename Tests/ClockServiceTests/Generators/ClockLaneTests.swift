// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Generators on a lane, stepped as the event thread steps them.
@Suite struct ClockLaneTests {
  private static let second: Int64 = 1_000_000_000

  private func lane(
    _ sink: RecordingSink, _ sources: [any EventSource] = []
  ) throws -> EventScheduler {
    let map = try TempoMap.constant(500_000)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: sources, router: Router(sinks: [sink]))
    scheduler.lane.generators = [MIDIClockGenerator(tempoMap: map)]
    return scheduler
  }

  private func run(_ scheduler: EventScheduler, from start: Int64, to end: Int64) throws {
    for time in stride(from: start, to: end, by: 5_000_000) {
      try scheduler.step(at: ReferenceTime(nanoseconds: time))
    }
  }

  private func clocks<Time>(_ sink: EventRecorder<Time>) -> [Int64] {
    sink.events.compactMap { event in
      guard case .message(let message) = event.payload, message.status == 0xF8 else { return nil }
      return event.time.nanoseconds
    }
  }

  @Test func `a change of tempo takes effect within 25 ms, without a step of phase`() throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    try run(scheduler, from: 0, to: 2 * Self.second)
    let change = 2 * Self.second
    scheduler.look(at: ReferenceTime(nanoseconds: change))
    try scheduler.interrupt { position, clock, _ in
      try clock.setTempoMap(.constant(250_000), at: position.time)
    }
    let heard = scheduler.end.nanoseconds
    #expect(heard - change <= 25_000_000)
    try run(scheduler, from: change, to: 3 * Self.second)
    // Events sent for after the change were cancelled and sent again.
    let times = clocks(sink)
    let slow = times.filter { $0 < heard }
    let last = try #require(slow.last)
    let left = 500_000_000.0 / 24 - Double(heard - last)
    let next = Double(heard) + left / 2
    let anew = times.filter { abs(Double($0) - next) < 2_000 }
    #expect(!anew.isEmpty)
  }

  /// A lane with a generator that runs after one second, with other maps after two.
  private func changed(
    _ generator: any ClockGenerator, _ change: (inout MusicClock, ReferenceTime) throws -> Void
  ) throws -> RecordingSink {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    scheduler.lane.generators = [generator]
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    try run(scheduler, from: 0, to: 2 * Self.second)
    scheduler.look(at: ReferenceTime(nanoseconds: 2 * Self.second))
    try scheduler.interrupt { position, clock, _ in try change(&clock, position.time) }
    try run(scheduler, from: 2 * Self.second, to: 3 * Self.second)
    return sink
  }

  private func quarterFrames(_ sink: RecordingSink) -> [Int64] {
    sink.events.filter { $0.status == 0xF1 && $0.time.nanoseconds > 2_050_000_000 }
      .map(\.time.nanoseconds)
  }

  @Test func `time code keeps its speed in a new map, from the new position on`() throws {
    let offset = Timecode(frame: 0, rate: .fps25)
    let generator = MTCGenerator(tempoMap: try .constant(500_000), offset: offset)
    let sink = try changed(generator) { clock, time in
      try clock.setTempoMap(.constant(250_000), at: time)
    }
    let times = quarterFrames(sink)
    #expect(times.count > 50)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 10_000_000) <= 2 })
    // The tick is the same, at half the time: a full frame reports it.
    #expect(sink.events.filter { if case .sysEx = $0.payload { true } else { false } }.count == 2)
  }

  @Test func `time code can be relabelled`() throws {
    let offset = Timecode(frame: 0, rate: .fps25)
    let generator = MTCGenerator(tempoMap: try .constant(500_000), offset: offset)
    let sink = try changed(generator) { clock, _ in
      clock.smpteOffset = Timecode(frame: 108_000, rate: .fps30)
    }
    #expect(generator.offset == Timecode(frame: 108_000, rate: .fps30))
    let times = quarterFrames(sink)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 8_333_333) <= 2 })
    #expect(sink.events.filter { if case .sysEx = $0.payload { true } else { false } }.count == 2)
  }

  @Test func `clocks are fractions of a quarter note in a map of another resolution`() throws {
    let ppqn = try #require(PPQN(96))
    let generator = MIDIClockGenerator(tempoMap: try .constant(500_000))
    let sink = try changed(generator) { clock, time in
      try clock.setTempoMap(TempoMap(ppqn: ppqn, tempo: .standard), at: time)
    }
    let times = clocks(sink).filter { $0 > 2_050_000_000 }
    #expect(times.count > 30)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 20_833_333) <= 2 })
    // Shortly after tick 960 it was beat three, and is now beat eleven.
    let told = sink.messages.map(\.status).filter { $0 != 0xF8 }
    #expect(told == [0xFA, 0xFC, 0xF2, 0xFB])
  }

  /// The messages other than clocks and notes, with their times.
  private func told(_ sink: RecordingSink) -> [(status: UInt8, time: Int64)] {
    sink.events.compactMap { event in
      guard case .message(let message) = event.payload, (0xF1...0xFC).contains(message.status),
        message.status != 0xF8
      else { return nil }
      return (message.status, event.time.nanoseconds)
    }
  }

  @Test(arguments: [1920, 1925, 100_000, 0] as [Int64])
  func `a locate while running sends Stop, position and Continue, on a beat without a gap`(
    place: Int64
  ) throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    let command = 2 * Self.second + 3_000_000
    try run(scheduler, from: 0, to: command)
    scheduler.look(at: ReferenceTime(nanoseconds: command))
    try scheduler.locate(to: Tick(place))
    try run(scheduler, from: command, to: 3 * Self.second)
    let told = told(sink)
    #expect(told.map(\.status) == [0xFA, 0xFC, 0xF2, place == 0 ? 0xFA : 0xFB])
    #expect(zip(told, told.dropFirst()).allSatisfy { $1.time - $0.time >= 1_000_000 })
    let times = clocks(sink).sorted()
    let spacing = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(spacing.allSatisfy { abs($0 - 20_833_333) <= 2 })
    // The first clock that counts is half a clock after Continue.
    let go = try #require(told.last).time
    let first = try #require(times.first { $0 > go })
    #expect((1_000_000...10_500_000).contains(first - go))
    // The Stop is 5 ms after the command; the locate 12 ms and up to a clock later.
    #expect(told[1].time - command <= 5_000_000)
    if place % 120 == 0 { #expect(first - told[1].time <= 12_000_000 + 20_833_334) }
    let position = scheduler.lane.position(at: ReferenceTime(nanoseconds: first)).tick.value
    #expect(abs(position - (place + 119) / 120 * 120) <= 1)
  }

  /// A lane at a tempo that repeats a loop after one second, 100 ms ahead.
  private func looping(
    _ sink: RecordingSink, microseconds: Int = 500_000, from start: Int64, to end: Int64
  ) throws -> EventScheduler {
    let map = try TempoMap.constant(microseconds)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [], router: Router(sinks: [sink]))
    let lane = scheduler.lane
    lane.generators = [MIDIClockGenerator(tempoMap: map)]
    lane.horizon = .milliseconds(100)
    try scheduler.setLoop(LoopRange(start: Tick(start), end: Tick(end)))
    try scheduler.start(from: Tick(start), at: ReferenceTime(nanoseconds: Self.second))
    return scheduler
  }

  /// The messages after the start except clocks; checks that each is 1 ms before the next, and
  /// before its clock.
  private func told(_ sink: RecordingSink, apartFrom clocks: [Int64]) -> [UInt8] {
    let told = told(sink).filter { $0.time > Self.second }
    let gaps = zip(told, told.dropFirst()).map { $1.time - $0.time }
    #expect(gaps.allSatisfy { $0 >= 1_000_000 }, "\(told)")
    let leads = told.map { told in (clocks.first { $0 >= told.time } ?? .max) - told.time }
    #expect(leads.allSatisfy { $0 >= 1_000_000 }, "\(told)")
    return told.map(\.status)
  }

  @Test(arguments: [(480, 1440), (0, 960), (480, 600), (120, 2040)] as [(Int64, Int64)])
  func `a loop sends Stop, position and Continue in time, on a beat without a gap`(
    start: Int64, end: Int64
  ) throws {
    for microseconds in [500_000, 200_000, 1_500_000] {
      let sink = RecordingSink()
      let scheduler = try looping(sink, microseconds: microseconds, from: start, to: end)
      let length = (end - start) * Int64(microseconds) * 1000 / 480
      try run(scheduler, from: 0, to: Self.second + 3 * length + length / 2)
      let clocks = clocks(sink).sorted()
      let spacing = zip(clocks, clocks.dropFirst()).map { $1 - $0 }
      let period = Int64(microseconds) * 1000 / 24
      #expect(spacing.allSatisfy { abs($0 - period) <= 2 })
      let go: UInt8 = start == 0 ? 0xFA : 0xFB
      let jump: [UInt8] = [0xFC, 0xF2, go]
      let told = told(sink, apartFrom: clocks)
      #expect(Array(told.prefix(9)) == jump + jump + jump)
      // The first clock that counts is that of the position.
      let goes = self.told(sink).filter { $0.status == go }.dropFirst().map(\.time)
      for (pass, time) in goes.prefix(3).enumerated() {
        let first = try #require(clocks.first { $0 > time })
        #expect(abs(first - Self.second - Int64(pass + 1) * length) <= 2)
      }
    }
  }

  @Test(arguments: stride(from: -130, through: 20, by: 1).map { Int64($0) * 1_000_000 + 333 })
  func `a command near the end of a loop does not change beat and position`(
    distance: Int64
  ) throws {
    let sink = RecordingSink()
    let scheduler = try looping(sink, from: 480, to: 1440)
    let command = 3 * Self.second + distance
    try run(scheduler, from: 0, to: command)
    scheduler.look(at: ReferenceTime(nanoseconds: command))
    try scheduler.setPlayRate(1)
    #expect(scheduler.end.nanoseconds - command <= 5_000_000 + 12_000_001)
    // And again, with the messages in between sent at once.
    try run(scheduler, from: command, to: command + 20_000_000)
    scheduler.look(at: ReferenceTime(nanoseconds: command + 15_000_000))
    try scheduler.setPlayRate(1)
    try run(scheduler, from: command + 20_000_000, to: 4 * Self.second)
    let clocks = clocks(sink).sorted()
    #expect(clocks.count == Int(4 * Self.second + 95_000_000 - clocks[0]) / 20_833_333 + 1)
    let spacing = zip(clocks, clocks.dropFirst()).map { $1 - $0 }
    #expect(spacing.allSatisfy { abs($0 - 20_833_333) <= 2 })
    let jump: [UInt8] = [0xFC, 0xF2, 0xFB]
    #expect(told(sink, apartFrom: clocks) == jump + jump + jump)
  }

  @Test(arguments: stride(from: -130, through: 20, by: 3).map { Int64($0) * 1_000_000 + 333 })
  func `a command near the end of a loop does not change time code`(distance: Int64) throws {
    let sink = RecordingSink()
    let scheduler = try looping(sink, from: 480, to: 1440)
    scheduler.lane.generators = [
      MTCGenerator(tempoMap: try .constant(500_000), offset: Timecode(frame: 0, rate: .fps25))
    ]
    try scheduler.start(from: 480, at: ReferenceTime(nanoseconds: Self.second))
    let command = 3 * Self.second + distance
    try run(scheduler, from: 0, to: command)
    for time in [command, command + 15_000_000] {
      try run(scheduler, from: time, to: time + 1)
      scheduler.look(at: ReferenceTime(nanoseconds: time))
      try scheduler.setPlayRate(1)
    }
    try run(scheduler, from: command + 20_000_000, to: 4 * Self.second)
    let times = quarterFrames(sink)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 10_000_000) <= 2 })
    let end = try #require(times.last)
    #expect(end > 4 * Self.second)
    // At the start, and after one, two and three seconds.
    let fullFrames = sink.events.filter { if case .sysEx = $0.payload { true } else { false } }
    #expect(
      fullFrames.map(\.time.nanoseconds).filter { $0 > Self.second }
        == [2, 3, 4].map { $0 * Self.second })
  }

  @Test(arguments: stride(from: -120, through: 20, by: 3).map { Int64($0) * 1_000_000 + 333 })
  func `a loop removed before its end is left, and one stopped there is kept`(
    distance: Int64
  ) throws {
    for isStopped in [false, true] {
      let sink = RecordingSink()
      let scheduler = try looping(sink, from: 480, to: 1440)
      let command = 3 * Self.second + distance
      try run(scheduler, from: 0, to: command)
      scheduler.look(at: ReferenceTime(nanoseconds: command))
      if isStopped { try scheduler.stop() } else { try scheduler.setLoop(nil) }
      let isPast = scheduler.end.nanoseconds >= 3 * Self.second
      try run(scheduler, from: command, to: 6 * Self.second)
      let jump: [UInt8] = [0xFC, 0xF2, 0xFB]
      let told = told(sink).filter { $0.time > Self.second }.map(\.status)
      #expect(told == jump + (isPast ? jump : []) + (isStopped ? [0xFC] : []))
      guard !isStopped else { continue }
      let clocks = clocks(sink).sorted()
      let spacing = zip(clocks, clocks.dropFirst()).map { $1 - $0 }
      #expect(spacing.allSatisfy { abs($0 - 20_833_333) <= 2 })
    }
  }

  @Test func `clocks are even from the first on, and none is due before it can be sent`() throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    scheduler.look(at: .zero)
    // Half a clock away from any beat of the scheduler.
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: 113_000_000))
    try run(scheduler, from: 0, to: Self.second)
    let times = clocks(sink)
    #expect(.nanoseconds(try #require(times.first)) >= scheduler.lead)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 20_833_333) <= 2 })
    #expect(times.contains(113_000_000))
  }

  @Test func `clocks are sent before the notes of their instant`() throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink, [ScriptedSource(spacing: 5)])
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    try run(scheduler, from: 0, to: 3 * Self.second)
    var seen: Set<Int64> = []
    for event in sink.events where event.time.nanoseconds >= Self.second {
      guard case .message(let message) = event.payload else { continue }
      if message.status == 0xFE { seen.insert(event.time.nanoseconds) }
      if message.status == 0xF8 { #expect(!seen.contains(event.time.nanoseconds)) }
    }
    #expect(seen.count > 300)
  }

  @Test func `silence sends Stop to followers`() throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    try run(scheduler, from: 0, to: 2 * Self.second)
    try scheduler.silence()
    #expect(sink.messages.contains { $0.status == 0xFA })
    #expect(sink.messages.last { $0.status != 0xF8 }?.status == 0xFC)
  }

  @Test func `a start is sent at least a millisecond before its downbeat`() throws {
    let sink = RecordingSink()
    let scheduler = try lane(sink)
    try run(scheduler, from: 0, to: Self.second)
    scheduler.look(at: ReferenceTime(nanoseconds: Self.second))
    try scheduler.start(from: 0)
    try run(scheduler, from: Self.second, to: 2 * Self.second)
    let start = try #require(
      sink.events.last { event in
        if case .message(let message) = event.payload { message.status == 0xFA } else { false }
      })
    let downbeat = try #require(clocks(sink).last { $0 > start.time.nanoseconds })
    let first = try #require(clocks(sink).first { $0 > start.time.nanoseconds })
    #expect(first - start.time.nanoseconds >= 1_000_000)
    #expect(downbeat > first)
  }

  @Test func `each destination of a generator receives every clock once, at its delay`() throws {
    let map = try TempoMap.constant(500_000)
    let sinks = [RecordingPort(), RecordingPort()]
    let generator = MIDIClockGenerator(tempoMap: map)
    var sync = ClockSync()
    sync.outputs = [
      .init(generator, to: sinks[0]), .init(generator, to: sinks[1], delay: .milliseconds(-15)),
    ]
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [], router: Router())
    let routes = sync.addDestinations(to: scheduler.router, along: scheduler.reference)
    for route in routes { scheduler.router.addRoute(route) }
    scheduler.lane.use(sync)
    try scheduler.start(from: 0, at: ReferenceTime(nanoseconds: Self.second))
    try run(scheduler, from: 0, to: 2 * Self.second)
    let (first, second) = (clocks(sinks[0]), clocks(sinks[1]))
    #expect(first.count > 48)
    #expect(second == first.map { $0 - 15_000_000 })
  }
}
