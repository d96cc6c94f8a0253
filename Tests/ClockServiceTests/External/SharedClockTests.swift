// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import MIDIMessages
import MusicalTime
import Realtime
import TestSupport
import Testing

@Suite(.serialized) struct SharedClockTests {
  private static let second: Int64 = 1_000_000_000

  private func name(_ label: String) -> String {
    "test-\(ProcessInfo.processInfo.processIdentifier)-clock-\(label)"
  }

  @Test func `a follower plays every event where the publisher does, to the nanosecond`() throws {
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
    follower.lanes[0].master = ExternalClock(
      following: .shared(SharedClockFollower(reader, division: map.division)), tempoMap: map)
    for step in 1...800 {
      let now = HostTime(nanoseconds: Int64(step) * 5_000_000)
      if step == 20 { try leader.start(at: 0, time: HostTime(nanoseconds: Self.second / 5)) }
      try leader.step(at: now)
      leader.lanes[0].describe(in: &state, at: now)
      publisher.write(state)
      try follower.step(at: now)
    }
    let expected = theirs.events.filter(\.isScripted).map(\.time)
    let heard = ours.events.filter(\.isScripted).map(\.time)
    #expect(heard.count > 50)
    #expect(heard == Array(expected.prefix(heard.count)))
    #expect(expected.count - heard.count < 3)
  }

  @Test func `a publisher that leaves stops its followers`() throws {
    let map = try TempoMap.constant(500_000)
    var state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    var publisher: SharedClockPublisher? = try SharedClockPublisher(name: name("gone"), state)
    let line = try map.timeline(at: 0, originTick: 0, originHost: .zero, playRate: 1)
    state.run(along: line, from: .zero, isExternal: false, moves: 1, at: .zero)
    publisher?.write(state)
    let follower = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [], router: Router())
    let lane = follower.lanes[0]
    lane.master = ExternalClock(
      following: .shared(
        SharedClockFollower(
          try SharedClockReader(name: name("gone")), division: map.division)), tempoMap: map)
    var events: [FollowerEvent] = []
    lane.onEvent = { if case .master(let event) = $0 { events.append(event) } }
    try follower.step(at: HostTime(nanoseconds: Self.second))
    #expect(lane.isRunning)
    publisher = nil
    try follower.step(at: HostTime(nanoseconds: 2 * Self.second))
    #expect(!lane.isRunning)
    #expect(events.contains(.lost))
  }

  @Test func `the maps that are served are those that were given`() throws {
    let map = try TempoMap.steps([(0, 500_000), (960, 333_333)])
    let meters = try MeterMap(changes: [
      MeterChange(position: 0, signature: try TimeSignature(numerator: 7, denominator: 8))
    ])
    let state = SharedClockState(tempoMap: map, meterMap: meters)
    #expect(state.isWhole)
    #expect(try state.tempoMap() == map)
    #expect(try state.meterMap() == meters)
  }

  @Test func `maps that are too long are cut, and say so`() throws {
    let map = try TempoMap.steps((0..<300).map { (Int64($0) * 480, 500_000 + $0) })
    let state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    #expect(!state.isWhole)
    #expect(try state.tempoMap().changes.count == SharedClockState.tempoCapacity)
  }
}
