// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicalTime
import Realtime
import TestSupport
import Testing

@testable import ClockService

@Suite(.serialized) struct SharedClockTests {
  private static let second: Int64 = 1_000_000_000

  private func name(_ label: String) -> String {
    "test-\(ProcessInfo.processInfo.processIdentifier)-clock-\(label)"
  }

  @Test func `a follower plays every event when the publisher does, to the nanosecond`() throws {
    let map = try TempoMap.steps([(0, 500_000), (960, 333_333), (1700, 612_345)])
    let meters = try MeterMap()
    var state = SharedClockState(tempoMap: map, meterMap: meters)
    let publisher = try SharedClockPublisher(name: name("follow"), state)
    let theirs = RecordingSink()
    let leader = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: 60)],
      router: Router(sinks: [theirs]))
    let reader = try SharedClockReader(name: name("follow"))
    let ours = RecordingSink()
    let follower = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: 60)],
      router: Router(sinks: [ours]))
    follower.lane.master = try ExternalClock(
      following: .shared(SharedClockFollower(reader, division: map.division)), tempoMap: map)
    for step in 1...800 {
      let now = HostTime(nanoseconds: Int64(step) * 5_000_000)
      if step == 20 { try leader.start(from: 0, at: ReferenceTime(nanoseconds: Self.second / 5)) }
      try leader.step(at: now.reference)
      leader.lane.describe(in: &state, at: now.reference)
      publisher.write(state)
      try follower.step(at: now.reference)
    }
    let expected = theirs.events.filter(\.isScripted).map(\.time)
    let heard = ours.events.filter(\.isScripted).map(\.time)
    #expect(heard.count > 50)
    #expect(heard == Array(expected.prefix(heard.count)))
    #expect(expected.count - heard.count < 3)
  }

  /// A clock that runs from 0 on and is served, and a lane that follows it.
  private struct Served {
    var publisher: SharedClockPublisher?
    var state: SharedClockState
    let follower: EventScheduler
    let told = Told()
    private(set) var now: Int64 = 0

    final class Told {
      var events: [FollowerEvent] = []
    }

    init(name: String) throws {
      let map = try TempoMap.constant(500_000)
      state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
      publisher = try SharedClockPublisher(name: name, state)
      follower = EventScheduler(clock: MusicClock(tempoMap: map), sources: [], router: Router())
      let (lane, told) = (follower.lane, told)
      let reader = try SharedClockReader(name: name)
      lane.master = try ExternalClock(
        following: .shared(SharedClockFollower(reader, division: map.division)), tempoMap: map)
      lane.onEvent = { if case .master(let event) = $0 { told.events.append(event) } }
    }

    /// Advances the time, and publishes every 5 ms like a running process.
    mutating func run(to end: Int64, startingAt start: Int64 = 0) throws {
      let line = try state.tempoMap().timeline(
        at: 0, originTick: 0, origin: HostTime(nanoseconds: start), playRate: 1)
      while now < end {
        now += 5_000_000
        let time = HostTime(nanoseconds: now)
        if let publisher {
          state.run(along: line, from: .zero, isExternal: false, moves: 1, at: time)
          publisher.write(state)
        }
        try follower.step(at: time.reference)
      }
    }

    var tick: Int64 { follower.lane.position(at: ReferenceTime(nanoseconds: now)).tick.value }
  }

  @Test func `a clock continues for a second without its publisher, and then stops`() throws {
    var served = try Served(name: name("gone"))
    try served.run(to: Self.second)
    #expect(served.follower.lane.isRunning)
    served.publisher = nil
    try served.run(to: 2 * Self.second - 100_000_000)
    #expect(served.told.events.last == .freewheeling)
    #expect(served.tick == 960 * 19 / 10)
    try served.run(to: 2 * Self.second + 200_000_000)
    #expect(!served.follower.lane.isRunning)
    #expect(served.told.events.suffix(2).first == .lost)
  }

  @Test func `a publisher that hangs is continued for a second`() throws {
    var served = try Served(name: name("frozen"))
    try served.run(to: Self.second)
    let frozen = served.publisher
    served.publisher = nil
    try withExtendedLifetime(frozen) {
      try served.run(to: 2 * Self.second - 100_000_000)
      #expect(served.told.events.last == .freewheeling)
      try served.run(to: 2 * Self.second + 200_000_000)
      #expect(!served.follower.lane.isRunning)
      #expect(served.told.events.contains(.lost))
    }
    served.publisher = frozen
    try served.run(to: 3 * Self.second)
    #expect(served.follower.lane.isRunning)
  }

  @Test func `a clock that is served again within the freewheel time is followed on`() throws {
    var served = try Served(name: name("again"))
    try served.run(to: Self.second)
    served.publisher = nil
    try served.run(to: Self.second + 500_000_000)
    // The other one started half a second later.
    served.publisher = try SharedClockPublisher(name: name("again"), served.state)
    try served.run(to: 2 * Self.second, startingAt: Self.second / 2)
    #expect(served.follower.lane.isRunning)
    #expect(served.tick == 960 * 3 / 2)
    let events = served.told.events
    #expect(events.contains(.locked))
    #expect(events.contains { if case .jumped = $0 { true } else { false } })
    #expect(!events.contains(.lost))
  }

  @Test func `a clock that is served again later is followed as a new start`() throws {
    var served = try Served(name: name("later"))
    try served.run(to: Self.second)
    served.publisher = nil
    // The follower has just tried to open the clock.
    let start = 3 * Self.second + 30_000_000
    try served.run(to: start)
    #expect(!served.follower.lane.isRunning)
    served.publisher = try SharedClockPublisher(name: name("later"), served.state)
    // Well before the first beat of a clock that starts 100 ms later.
    try served.run(to: start + 20_000_000, startingAt: start)
    #expect(served.follower.lane.isRunning)
    try served.run(to: start + 200_000_000, startingAt: start)
    #expect(served.follower.lane.isRunning)
    #expect(served.tick == 192)
    guard case .started? = served.told.events.last else {
      return #expect(Bool(false), "\(served.told.events)")
    }
  }

  @Test func `a tempo change after which ticks overflow omits the rest`() throws {
    // In our ticks the fraction of the first line fits 64 bits, and that of the second does not.
    let map = try TempoMap(
      division: .ppqn(#require(PPQN(9600))),
      changes: [
        TempoChange(tick: 0, tempo: #require(Tempo(tenNanosecondsPerQuarter: 1_000_000))),
        TempoChange(tick: 96_000, tempo: #require(Tempo(tenNanosecondsPerQuarter: .max))),
      ])
    let line = try map.timeline(
      at: 0, originTick: 0, origin: HostTime.zero,
      playRate: Ratio(67_108_837, over: 67_108_859))
    var state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    let publisher = try SharedClockPublisher(name: name("steep"), state)
    let ppqn = try #require(PPQN(960))
    let ours = TempoMap(ppqn: ppqn, tempo: .standard)
    let sink = RecordingSink()
    let follower = EventScheduler(
      clock: MusicClock(tempoMap: ours), sources: [ScriptedSource(spacing: 24)],
      router: Router(sinks: [sink]))
    follower.lane.master = try ExternalClock(
      following: .shared(
        SharedClockFollower(
          SharedClockReader(name: name("steep")), division: .ppqn(ppqn))), tempoMap: ours)
    for step in 1...60 {
      let now = HostTime(nanoseconds: Int64(step) * 5_000_000)
      state.run(along: line, from: .zero, isExternal: false, moves: 1, at: now)
      publisher.write(state)
      try follower.step(at: now.reference)
    }
    #expect(!sink.events.filter(\.isScripted).isEmpty)
  }

  @Test func `a line on which ticks overflow stops a follower, and nothing else`() throws {
    let map = try TempoMap.constant(500_000)
    let ppqn = try #require(PPQN(96))
    var state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    let publisher = try SharedClockPublisher(name: name("unsound"), state)
    let follower = try SharedClockFollower(
      SharedClockReader(name: name("unsound")), division: .ppqn(ppqn))
    let ours = TempoMap(ppqn: ppqn, tempo: .standard)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: ours), sources: [ScriptedSource(spacing: 24)], router: Router())
    let lane = scheduler.lane
    lane.master = ExternalClock(following: .shared(follower), tempoMap: ours)
    let sound = try map.timeline(at: 0, originTick: 0, origin: HostTime.zero, playRate: 1)
    let lines: [Timeline<Tick, HostTime>] = [
      Timeline(countOrigin: 0, scaledOrigin: 0, numerator: .max, denominator: 1),
      Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: .max),
      Timeline(countOrigin: 0, scaledOrigin: .max, numerator: 1, denominator: 1),
      Timeline(countOrigin: 0, scaledOrigin: .min, numerator: 1, denominator: 1),
      Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1 << 61),
    ]
    var time = HostTime.zero
    func run(along line: Timeline<Tick, HostTime>) throws {
      for _ in 0..<40 {
        time = time.advanced(byNanoseconds: 5_000_000)
        state.run(along: line, from: .zero, isExternal: false, moves: 1, at: time)
        publisher.write(state)
        try scheduler.step(at: time.reference)
      }
    }
    for line in lines {
      try run(along: sound)
      #expect(lane.isRunning && lane.master?.master.lock == .locked)
      try run(along: line)
      #expect(!lane.isRunning && lane.master?.master.lock == .idle, "\(line)")
    }
  }

  @Test func `a publisher with a time before all others is lost as usual`() throws {
    var served = try Served(name: name("early"))
    try served.run(to: Self.second)
    let line = try served.state.tempoMap().timeline(
      at: 0, originTick: 0, origin: HostTime.zero, playRate: 1)
    let past = HostTime(nanoseconds: .min)
    served.state.run(along: line, from: .zero, isExternal: false, moves: 1, at: past)
    served.publisher?.write(served.state)
    try served.follower.step(at: ReferenceTime(nanoseconds: served.now + 1))
    served.publisher = nil
    try served.run(to: Self.second + 300_000_000)
    #expect(!served.follower.lane.isRunning)
    #expect(served.told.events.contains(.lost))
  }

  @Test func `an uncertain count is published until it is settled`() throws {
    let period: Int64 = 20_833_333
    var settings = MIDIClockFollower.Settings()
    settings.resumesAfterGap = true
    let map = try TempoMap.constant(500_000)
    var rig = MasterRig(.midiClock(MIDIClockFollower(settings: settings)), map: map)
    var state = SharedClockState(tempoMap: map, meterMap: .common)
    let publisher = try SharedClockPublisher(name: name("doubt"), state)
    let follower = EventScheduler(clock: MusicClock(tempoMap: map), sources: [], router: Router())
    follower.lane.master = try ExternalClock(
      following: .shared(
        SharedClockFollower(SharedClockReader(name: name("doubt")), division: map.division)),
      tempoMap: map)
    func isUncertain(at end: Int64) throws -> Bool {
      try rig.run(to: end)
      let now = rig.now.reference
      rig.lane.describe(in: &state, at: now)
      publisher.write(state)
      try follower.step(at: now)
      let read = ClockSnapshot(follower.lane.snapshotState(at: now), of: rig.lane.clock)
      #expect(read.isRunning)
      #expect(state.isUncertain == read.isUncertain)
      return read.isUncertain
    }
    rig.send([0xFA], at: Self.second - 5_000_000)
    let gap = rig.sendClocks(97, from: Self.second, every: period)
    #expect(try !isUncertain(at: gap))
    let end = rig.sendClocks(24, from: gap + 96 * period, every: period)
    #expect(try isUncertain(at: end))
    rig.send([0xF2], at: end, data: (20, 0))
    let last = rig.sendClocks(24, from: end + 1_000_000, every: period)
    #expect(try !isUncertain(at: last))
  }

  @Test func `the served maps equal the given ones`() throws {
    let map = try TempoMap.steps([(0, 500_000), (960, 333_333)])
    let meters = try MeterMap(changes: [
      MeterChange(position: 0, signature: try TimeSignature(numerator: 7, denominator: 8))
    ])
    let state = SharedClockState(tempoMap: map, meterMap: meters)
    #expect(state.isWhole)
    #expect(try state.tempoMap() == map)
    #expect(try state.meterMap() == meters)
  }

  @Test func `maps that are too long are cut off, which is marked`() throws {
    let map = try TempoMap.steps((0..<300).map { (Int64($0) * 480, 500_000 + $0) })
    let state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    #expect(!state.isWhole)
    #expect(try state.tempoMap().changes.count == SharedClockState.tempoCapacity)
  }
}
