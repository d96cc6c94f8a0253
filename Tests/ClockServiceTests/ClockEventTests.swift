// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// The events of a clock, each with its contents.
@Suite struct ClockEventTests {
  private static let second: Int64 = 1_000_000_000
  private static let period: Int64 = 20_000_000

  private final class Told {
    var events: [ClockEvent] = []

    func take() -> [ClockEvent] {
      defer { events.removeAll() }
      return events
    }
  }

  private func scheduler(_ told: Told) throws -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try .steps([(0, 500_000), (960, 250_000)])), sources: [],
      router: Router())
    scheduler.lane.onEvent = { told.events.append($0) }
    return scheduler
  }

  private func rig(isArmed: Bool = true) throws -> MasterRig {
    MasterRig(.midiClock(MIDIClockFollower()), map: try .constant(500_000), isArmed: isArmed)
  }

  private func at(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: Int64(seconds * Double(Self.second)))
  }

  @Test func `start, locate and stop are reported with tick, instant and reason`() throws {
    let told = Told()
    let scheduler = try scheduler(told)
    try scheduler.locate(to: 240)
    #expect(told.take() == [.startTimeSet(240)])
    try scheduler.start(from: 480, at: at(1).reference)
    #expect(told.take() == [.started(480, at: at(1))])
    try scheduler.step(at: at(1.5).reference)
    try scheduler.locate(to: 0, at: at(2).reference)
    #expect(told.take() == [.located(0, at: at(2))])
    try scheduler.step(at: at(2.25).reference)
    try scheduler.stop(at: at(2.5).reference)
    #expect(told.take() == [.stopped(.command, 480, at: at(2.5))])
    try scheduler.start(at: at(3).reference)
    #expect(told.take() == [.started(480, at: at(3))])
  }

  @Test func `only a changed property is reported, with its value`()
    throws
  {
    let told = Told()
    let scheduler = try scheduler(told)
    let map = try TempoMap.constant(400_000)
    let meters = try MeterMap(changes: [
      MeterChange(position: 0, signature: try TimeSignature(numerator: 7, denominator: 8))
    ])
    let loop = try #require(LoopRange(start: 0, end: 960))
    let offset = Timecode(frame: 90_000, rate: .fps25)
    let changes: [(ClockProperty, (inout MusicClock, ReferenceTime) throws -> Void)] = [
      (.playRate(2), { try $0.setPlayRate(2, at: $1) }),
      (.tempoMap, { try $0.setTempoMap(map, at: $1) }),
      (.meterMap, { clock, _ in clock.meterMap = meters }),
      (.loop(loop), { $0.setLoop(loop, at: $1) }),
      (.frameRate(.fps25), { clock, _ in clock.frameRate = .fps25 }),
      (.sampleRate(.hertz48000), { clock, _ in clock.sampleRate = .hertz48000 }),
      (.smpteOffset(offset), { clock, _ in clock.smpteOffset = offset }),
      (.freewheel(.milliseconds(500)), { clock, _ in clock.freewheel = .milliseconds(500) }),
    ]
    for (property, change) in changes {
      try scheduler.interrupt { position, clock, _ in try change(&clock, position.time) }
      #expect(told.take() == [.changed(property)])
      guard property != .tempoMap else { continue }
      try scheduler.interrupt { position, clock, _ in try change(&clock, position.time) }
      #expect(told.take() == [])
    }
  }

  @Test func `a tempo by hand replaces the map's tempo until the stop`()
    throws
  {
    let told = Told()
    let scheduler = try scheduler(told)
    let slow = try Tempo.beatsPerMinute(60, rounding: .nearest).value
    #expect(throws: ClockError.stands("tempo")) { try scheduler.setTempo(slow) }
    try scheduler.start(from: 0, at: at(1).reference)
    try scheduler.step(at: at(1).reference)
    _ = told.take()
    try scheduler.setTempo(slow, at: at(1.5).reference)
    #expect(told.take() == [.changed(.tempo(slow))])
    let lane = scheduler.lane
    // A quarter note as written, then two at one per second: beyond the map's own change at 960.
    #expect(lane.position(at: at(3.5).reference).tick == 1440)
    #expect(lane.clock.tempoOverride == slow)
    try scheduler.stop(at: at(3.5).reference)
    #expect(
      told.take() == [.changed(.tempo(nil)), .stopped(.command, 1440, at: at(3.5))])
    try scheduler.start(at: at(4).reference)
    // 240 per minute, the tempo of the map after 960.
    #expect(lane.position(at: at(4.25).reference).tick == 1920)
  }

  @Test func `a tempo by hand can be removed while the clock runs`() throws {
    let told = Told()
    let scheduler = try scheduler(told)
    try scheduler.start(from: 0, at: at(0).reference)
    try scheduler.setTempo(Tempo.beatsPerMinute(60, rounding: .nearest).value, at: at(0).reference)
    try scheduler.step(to: at(1).reference)
    try scheduler.setTempo(nil, at: at(1).reference)
    let lane = scheduler.lane
    #expect(lane.position(at: at(1).reference).tick == 480)
    #expect(lane.position(at: at(1.5).reference).tick == 960)
    #expect(lane.position(at: at(1.75).reference).tick == 1440)
    #expect(told.events.last == .changed(.tempo(nil)))
  }

  @Test func `with a master, start time, start, lock and stop reason are reported`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xF2], at: 48 * Self.period - 9_000_000, data: (16, 0))
    rig.send([0xFB], at: 48 * Self.period - 5_000_000)
    let next = rig.sendClocks(24, from: 48 * Self.period, every: Self.period)
    rig.send([0xFC], at: next - 1_000_000)
    try rig.run(to: next + 100_000_000)
    #expect(rig.told.events.contains(.locked))
    #expect(rig.told.own.count == 3)
    #expect(rig.told.own.first == .startTimeSet(1920))
    guard case .started(1920, let start) = rig.told.own[1],
      case .stopped(.stopMessage, let tick, let end) = rig.told.own[2]
    else { return #expect(Bool(false), "\(rig.told.own)") }
    #expect(abs(start.nanoseconds - 48 * Self.period) < 1_000_000)
    #expect(end.nanoseconds - next < 5_000_000)
    #expect((1920 + 23 * 20...1920 + 24 * 20).contains(tick.value))
  }

  @Test func `a lost master is reported as freewheeling, lost and stopped`() throws {
    var rig = try rig()
    rig.send([0xFA], at: Self.second)
    let end = rig.sendClocks(48, from: Self.second + 2_000_000, every: Self.period)
    try rig.run(to: end + 2 * Self.second)
    let last = rig.told.events.suffix(3)
    #expect(last.first == .freewheeling)
    #expect(last.contains(.lost))
    guard case .stopped(.sourceLost, _, _)? = rig.told.own.last else {
      return #expect(Bool(false), "\(rig.told.own)")
    }
  }

  @Test func `the freewheel time is a property of the clock`() throws {
    var rig = try rig()
    try rig.scheduler.interrupt { _, clock, _ in clock.freewheel = .milliseconds(200) }
    #expect(rig.told.own == [.changed(.freewheel(.milliseconds(200)))])
    rig.send([0xFA], at: Self.second)
    let end = rig.sendClocks(48, from: Self.second + 2_000_000, every: Self.period)
    try rig.run(to: end + 150_000_000)
    #expect(rig.lane.isRunning)
    try rig.run(to: end + 300_000_000)
    #expect(!rig.lane.isRunning)
  }

  @Test func `arming and disarming are reported once each`() throws {
    let rig = try rig(isArmed: false)
    rig.scheduler.setArmed(true)
    rig.scheduler.setArmed(true)
    rig.scheduler.setArmed(false)
    #expect(rig.told.own == [.armed, .disarmed])
    let alone = Told()
    try scheduler(alone).setArmed(false)
    #expect(alone.take() == [])
  }

  @Test func `time code at a different rate code is reported and ignored`() throws {
    var settings = MTCFollower.Settings()
    settings.format = .fps30
    var rig = MasterRig(
      .timecode(MTCFollower(settings: settings), rate: nil), map: try .constant(500_000))
    let start = Timecode(frame: 0, rate: .fps25)
    for quarter in 0..<Int64(80) {
      let label = try MTCTime.at(start.advanced(byFrames: quarter / 8 * 2), rounding: .floor).value
      rig.send(
        [0xF1], at: Self.second + quarter * 10_000_000,
        data: (label.quarterFrame(Int(quarter & 7)), 0))
    }
    try rig.run(to: 2 * Self.second)
    #expect(rig.told.events == [.wrongFormat(.fps25)])
    #expect(rig.told.own.isEmpty)
  }

  @Test func `the master of a stopped clock can be changed, which is reported`() throws {
    let told = Told()
    let scheduler = try scheduler(told)
    try scheduler.locate(to: 960)
    let clock = scheduler.lane.clock
    try scheduler.follow(ExternalClock(following: .midiClock(MIDIClockFollower()), for: clock))
    #expect(told.take().last == .changed(.sync(.midiClock)))
    #expect(scheduler.lane.position(at: at(1).reference).tick == 960)
    try scheduler.follow(nil)
    #expect(told.take() == [.changed(.sync(.alone))])
    #expect(scheduler.lane.position(at: at(1).reference).tick == 960)
  }
}
