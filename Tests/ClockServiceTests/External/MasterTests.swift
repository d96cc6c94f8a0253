// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// A lane that follows a master: the rows of the state table of an external clock, by name.
@Suite struct MasterTests {
  private static let second: Int64 = 1_000_000_000
  /// 125 beats per minute: 20 ms per clock.
  private static let period: Int64 = 20_000_000

  private func rig(
    generators: [any ClockGenerator] = [], isArmed: Bool = true
  ) throws -> MasterRig {
    MasterRig(
      .midiClock(MIDIClockFollower()), map: try .constant(500_000), spacing: 120,
      generators: generators, isArmed: isArmed)
  }

  /// The times of the source's events: one per sixteenth, 120 ticks.
  private func times(_ rig: MasterRig) -> [Int64] {
    rig.sink.events.filter(\.isScripted).map(\.time.nanoseconds)
  }

  @Test func `unarmed, start and clocks are ignored`() throws {
    var rig = try rig(isArmed: false)
    rig.send([0xFA], at: Self.second)
    rig.sendClocks(48, from: Self.second + 1_000_000, every: Self.period)
    try rig.run(to: 2 * Self.second)
    #expect(!rig.lane.isRunning)
    #expect(times(rig).isEmpty)
  }

  @Test func `song position moves the lane while it is stopped`() throws {
    var rig = try rig()
    rig.send([0xF2], at: Self.second, data: (8, 0))
    try rig.run(to: Self.second + 10_000_000)
    #expect(rig.lane.position(at: rig.now.reference).tick == 960)
    #expect(!rig.lane.isRunning)
  }

  @Test func `after Start the first clock is the downbeat`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    rig.sendClocks(48, from: 48 * Self.period, every: Self.period)
    try rig.run(to: 96 * Self.period)
    let times = times(rig)
    #expect(times.count == 9)
    for (index, time) in times.enumerated() {
      let ideal = 48 * Self.period + Int64(index) * 6 * Self.period
      #expect(abs(time - ideal) < 1_000_000)
    }
  }

  @Test func `nothing is sent beyond one clock after the last clock`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    rig.sendClocks(25, from: 48 * Self.period, every: Self.period)
    for step in 1...300 {
      try rig.run(to: Int64(step) * 5_000_000)
      let last = rig.now.nanoseconds / Self.period * Self.period
      #expect(rig.lane.end.nanoseconds <= max(last + 2 * Self.period, rig.now.nanoseconds) + 1_000)
    }
  }

  @Test func `Stop cancels events sent for later`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    let next = rig.sendClocks(30, from: 48 * Self.period, every: Self.period)
    rig.send([0xFC], at: next - 15_000_000)
    try rig.run(to: next + Self.second)
    #expect(!rig.lane.isRunning)
    #expect(rig.sink.cancelled.last.map { $0.nanoseconds <= next - 10_000_000 } ?? false)
    #expect(
      rig.told.events.contains { if case .stopped(.stopMessage, _) = $0 { true } else { false } })
    #expect(times(rig).allSatisfy { $0 < next })
  }

  @Test func `song position and Continue resume on the right beat`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xF2], at: 48 * Self.period - 9_000_000, data: (16, 0))
    rig.send([0xFB], at: 48 * Self.period - 5_000_000)
    rig.sendClocks(12, from: 48 * Self.period, every: Self.period)
    try rig.run(to: 49 * Self.period)
    #expect((1920...1945).contains(rig.lane.position(at: rig.now.reference).tick.value))
    #expect(times(rig).first.map { abs($0 - 48 * Self.period) < 500_000 } ?? false)
  }

  @Test func `a clock that loses its master freewheels for a second, and stops`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    let end = rig.sendClocks(48, from: 48 * Self.period, every: Self.period)
    try rig.run(to: end + 500_000_000)
    #expect(rig.lane.isRunning)
    #expect(rig.told.events.contains(.freewheeling))
    try rig.run(to: end + 1_200_000_000)
    #expect(!rig.lane.isRunning)
    #expect(
      rig.told.events.contains { if case .stopped(.sourceLost, _) = $0 { true } else { false } })
    // It continued for a second of beats: eight more sixteenths.
    #expect((16...18).contains(times(rig).count))
  }

  @Test func `a chain passes on start, clocks and stop`() throws {
    let map = try TempoMap.constant(500_000)
    var rig = try rig(
      generators: [MIDIClockGenerator(tempoMap: map, sendsWhileStanding: false)])
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    let next = rig.sendClocks(48, from: 48 * Self.period, every: Self.period)
    rig.send([0xFC], at: next)
    try rig.run(to: next + 100_000_000)
    let statuses = rig.sink.messages.map(\.status).filter { $0 != 0xFE }
    #expect(statuses.first == 0xFA)
    #expect(statuses.last == 0xFC)
    #expect((47...49).contains(statuses.filter { $0 == 0xF8 }.count))
  }

  @Test func `a start is passed on at once, ahead of its first clock`() throws {
    let map = try TempoMap.constant(500_000)
    var rig = try rig(generators: [MIDIClockGenerator(tempoMap: map)])
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 8_000_000)
    rig.sendClocks(48, from: 48 * Self.period, every: Self.period)
    try rig.run(to: 90 * Self.period)
    let wire = rig.sink.events.filter { !$0.isScripted }
    let start = try #require(wire.firstIndex { $0.status == 0xFA })
    #expect(abs(wire[start].time.nanoseconds - (48 * Self.period - 8_000_000)) < 100_000)
    let clocks = wire[start...].filter { $0.status == 0xF8 }.map(\.time.nanoseconds)
    #expect(clocks.count > 40)
    for (index, time) in clocks.enumerated() {
      #expect(abs(time - (48 + Int64(index)) * Self.period) < 500_000)
    }
  }

  @Test func `a start that is stopped before its first clock is cancelled`() throws {
    let map = try TempoMap.constant(500_000)
    var rig = try rig(generators: [MIDIClockGenerator(tempoMap: map)])
    rig.send([0xFA], at: Self.second)
    rig.send([0xFC], at: Self.second + 50_000_000)
    try rig.run(to: 2 * Self.second)
    let statuses = rig.sink.events.compactMap(\.status).filter { $0 != 0xF8 }
    #expect(statuses == [0xFA, 0xFC])
  }

  @Test func `a clock that arrives while a step begins starts the lane, and is passed on`() throws {
    let map = try TempoMap.constant(500_000)
    var rig = try rig(generators: [MIDIClockGenerator(tempoMap: map)])
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 8_000_000)
    for index in 48..<Int64(60) {
      let clock = Message(status: 0xF8)
      try rig.bring(clock, at: index * Self.period, before: 10_000)
    }
    #expect(rig.lane.isRunning)
    #expect(times(rig).first.map { abs($0 - 48 * Self.period) < 500_000 } ?? false)
  }

  @Test func `time code that arrives while a step begins is passed on`() throws {
    let map = try TempoMap.constant(500_000)
    let start = Timecode(frame: 0, rate: .fps25)
    var rig = MasterRig(
      .timecode(MTCFollower(), rate: .fps25), map: map, spacing: 240, offset: start,
      generators: [MTCGenerator(tempoMap: map, offset: start)])
    for quarter in 0..<Int64(100) {
      let label = try MTCTime.at(start.advanced(byFrames: quarter / 8 * 2), rounding: .floor).value
      let message = Message(status: 0xF1, data1: label.quarterFrame(Int(quarter & 7)))
      try rig.bring(message, at: Self.second + quarter * 10_000_000, before: 10_000)
    }
    #expect(rig.lane.isRunning)
    #expect(rig.sink.messages.contains { $0.status == 0xF1 })
  }

  /// A rig whose generator was notified of a start in the future.
  private func armedRig() throws -> MasterRig {
    var rig = try rig(generators: [MIDIClockGenerator(tempoMap: try .constant(500_000))])
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 8_000_000)
    try rig.run(to: 48 * Self.period - 4_000_000)
    return rig
  }

  @Test func `a start is cancelled by a change of master before the next start`() throws {
    var rig = try armedRig()
    try rig.scheduler.follow(nil)
    try rig.run(to: 2 * Self.second)
    try rig.scheduler.start(from: Tick(16 * 1920))
    try rig.run(to: 3 * Self.second)
    let sync = rig.sink.events.filter { !$0.isScripted }
    #expect(sync.compactMap(\.status).filter { $0 != 0xF8 } == [0xFA, 0xFC, 0xF2, 0xFB])
    // 48 per second, and those within the horizon: no burst.
    let clocks = sync.filter { $0.status == 0xF8 && $0.time.nanoseconds > 2 * Self.second }
    #expect((40...60).contains(clocks.count))
  }

  @Test func `disarming cancels a start`() throws {
    var rig = try armedRig()
    rig.scheduler.setArmed(false)
    rig.sendClocks(48, from: 48 * Self.period, every: Self.period)
    try rig.run(to: 90 * Self.period)
    #expect(!rig.lane.isRunning)
    let statuses = rig.sink.events.compactMap(\.status).filter { $0 != 0xF8 && $0 != 0xFE }
    #expect(statuses == [0xFA, 0xFC])
  }

  @Test func `a lane stopped by hand continues at the position of its master`() throws {
    var rig = try rig()
    rig.sendClocks(48, from: 0, every: Self.period)
    rig.send([0xFA], at: 48 * Self.period - 5_000_000)
    rig.sendClocks(200, from: 48 * Self.period, every: Self.period)
    try rig.run(to: 96 * Self.period)
    try rig.scheduler.stop()
    try rig.run(to: 146 * Self.period)
    #expect(!rig.lane.isRunning)
    try rig.scheduler.start()
    try rig.run(to: 200 * Self.period)
    let times = times(rig)
    #expect(times.allSatisfy { abs(($0 - 48 * Self.period) % (6 * Self.period)) < 1_000_000 })
    #expect(times.contains { $0 > 150 * Self.period } && times.count == 9 + 9)
  }

  /// An output with 60 ms of latency whose time 0 is at two seconds of host time.
  private func outputRig() throws -> MasterRig {
    var rig = MasterRig(
      .midiClock(MIDIClockFollower()), map: try .constant(500_000), latency: 48 * 60)
    rig.setDistance(Self.second)
    rig.lane.leastHorizon = .milliseconds(30)
    rig.scheduler.lead = .milliseconds(10)
    rig.sendClocks(48, from: Self.second, every: Self.period)
    rig.send([0xFA], at: Self.second + 48 * Self.period - 5_000_000)
    return rig
  }

  @Test func `with an output everything is sent earlier by its latency, to sound in time`() throws {
    var rig = try outputRig()
    let end = rig.sendClocks(96, from: Self.second + 48 * Self.period, every: Self.period)
    rig.send([0xFC], at: end)
    try rig.run(to: end - 1)
    #expect(rig.lane.end.nanoseconds <= rig.now.nanoseconds + 30_000_000 - Self.second)
    #expect(rig.told.events.allSatisfy { $0 != .freewheeling })
    try rig.run(to: end + Self.second)
    // Events due before the start was known are late, and none is left out.
    let heard = times(rig).map { $0 + Self.second + 60_000_000 }
    let first = Self.second + 48 * Self.period
    #expect((0...90_000_000).contains(try #require(heard.first) - first))
    for (index, time) in heard.enumerated().dropFirst() {
      #expect(abs(time - first - Int64(index) * 6 * Self.period) < 1_000_000)
    }
    // Rendered sound cannot be cancelled: the effect is a latency and a delay later.
    #expect((16...17).contains(heard.count))
  }

  @Test func `after an xrun an output is in time again, and skips nothing`() throws {
    var rig = try outputRig()
    rig.sendClocks(96, from: Self.second + 48 * Self.period, every: Self.period)
    try rig.run(to: Self.second + 80 * Self.period)
    rig.setDistance(rig.distance + 50_000_000)
    let dry = rig.now
    try rig.run(to: Self.second + 140 * Self.period)
    #expect(rig.told.events.allSatisfy { if case .jumped = $0 { false } else { true } })
    let events = rig.sink.events.filter(\.isScripted)
    #expect(events.map(\.index) == Array(0..<UInt32(events.count)))
    for event in events {
      let heard = event.time.nanoseconds + rig.distance + 60_000_000
      guard heard > dry.nanoseconds + 200_000_000 else { continue }
      let due = Self.second + 48 * Self.period + Int64(event.index) * 6 * Self.period
      #expect(abs(heard - due) < 1_000_000)
    }
  }

  @Test func `time code drives ticks through the tempo map`() throws {
    let map = try TempoMap.steps([(0, 500_000), (960, 250_000)])
    var rig = MasterRig(.timecode(MTCFollower(), rate: .fps25), map: map, spacing: 240)
    let start = try Timecode(
      label: TimecodeLabel(hours: 0, minutes: 0, seconds: 0, frames: 0), rate: .fps25)
    for quarter in 0..<Int64(300) {
      let label = try MTCTime.at(start.advanced(byFrames: quarter / 8 * 2), rounding: .floor).value
      rig.send(
        [0xF1], at: Self.second + quarter * 10_000_000,
        data: (label.quarterFrame(Int(quarter & 7)), 0))
    }
    try rig.run(to: 4 * Self.second)
    let times = times(rig)
    for time in times.dropFirst(2) {
      let media = time - Self.second
      let tick = try map.tick(at: MediaTime(nanoseconds: media), rounding: .nearest).value
      #expect(min(tick.value % 240, 240 - tick.value % 240) <= 2)
    }
    #expect(times.count > 10)
  }

  /// Quarter frames at 25 frames per second, from a frame on, starting after one second.
  private func timecodeRig(
    from frame: Int64, count: Int64, offset: Timecode
  ) throws -> MasterRig {
    var rig = MasterRig(
      .timecode(MTCFollower(), rate: .fps25), map: try .constant(500_000), spacing: 240,
      offset: offset)
    let start = Timecode(frame: frame, rate: .fps25)
    for quarter in 0..<count {
      let time = try start.advanced(byFrames: quarter / 8 * 2)
      let label = try MTCTime.at(time, rounding: .floor).value
      rig.send(
        [0xF1], at: Self.second + quarter * 10_000_000,
        data: (label.quarterFrame(Int(quarter & 7)), 0))
    }
    return rig
  }

  @Test(arguments: [500_000, 600_000])
  func `events due on a quarter frame are sent before it arrives`(tempo: Int) throws {
    var rig = MasterRig(
      .timecode(MTCFollower(), rate: .fps25), map: try .constant(tempo), spacing: 480)
    let start = Self.second + 1_200_000
    for quarter in 0..<Int64(600) {
      let time = Timecode(frame: quarter / 8 * 2, rate: .fps25)
      let label = try MTCTime.at(time, rounding: .floor).value
      rig.send(
        [0xF1], at: start + quarter * 10_000_000, data: (label.quarterFrame(Int(quarter & 7)), 0))
    }
    try rig.run(to: 2 * Self.second)
    var seen = rig.sink.events.count
    while rig.now.nanoseconds < 6 * Self.second {
      try rig.run(to: rig.now.nanoseconds + 100_000)
      for event in rig.sink.events[seen...] where event.isScripted {
        let ahead = event.time.nanoseconds - rig.now.nanoseconds
        #expect(ahead > 5_000_000, "\(ahead) ns")
      }
      seen = rig.sink.events.count
    }
    #expect(seen > 6)
  }

  @Test func `playback continues when time code passes midnight`() throws {
    let day = FrameRate.fps25.framesPerDay
    let offset = Timecode(frame: day - 100, rate: .fps25)
    var rig = try timecodeRig(from: day - 50, count: 400, offset: offset)
    try rig.run(to: 5 * Self.second)
    // Two seconds into the song at the first quarter frame, six at the last: four ticks in 1/240 s.
    let tick = rig.lane.position(at: rig.now.reference).tick.value
    #expect(abs(tick - 960 * 6) <= 2)
    #expect(rig.told.events.allSatisfy { if case .jumped = $0 { false } else { true } })
    let indices = rig.sink.events.filter(\.isScripted).map(\.index)
    #expect(indices.count > 10 && zip(indices, indices.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  @Test func `a song that began before midnight is found after it`() throws {
    let offset = Timecode(frame: FrameRate.fps25.framesPerDay - 250, rate: .fps25)
    var rig = try timecodeRig(from: 500, count: 100, offset: offset)
    try rig.run(to: Self.second + 990_000_000)
    // Ten seconds before midnight, twenty after it, and one that has passed.
    #expect(abs(rig.lane.position(at: rig.now.reference).tick.value - 960 * 31 + 10) <= 12)
  }
}
