// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// A lane that follows: the rows of the state table of an external clock, by name.
@Suite struct MasterTests {
  private static let second: Int64 = 1_000_000_000
  /// 125 beats a minute: 20 ms a clock.
  private static let period: Int64 = 20_000_000

  private func rig(
    generators: [any ClockGenerator] = [], isArmed: Bool = true
  ) throws -> MasterRig {
    MasterRig(
      .midiClock(MIDIClockFollower()), map: try .constant(500_000), spacing: 120,
      generators: generators, isArmed: isArmed)
  }

  /// The times of the source's events: one each sixteenth, 120 ticks.
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

  @Test func `song position moves the lane while it stands`() throws {
    var rig = try rig()
    rig.send([0xF2], at: Self.second, data: (8, 0))
    try rig.run(to: Self.second + 10_000_000)
    #expect(rig.lane.position(at: rig.now).tick == 960)
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

  @Test func `nothing goes out past the last clock and one more`() throws {
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

  @Test func `Stop takes back what was sent for later`() throws {
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
    #expect((1920...1945).contains(rig.lane.position(at: rig.now).tick.value))
    #expect(times(rig).first.map { abs($0 - 48 * Self.period) < 500_000 } ?? false)
  }

  @Test func `a master that is lost freewheels a second and stops, with the reason`() throws {
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
    // It went on for a second of beats: eight sixteenths more.
    #expect((16...18).contains(times(rig).count))
  }

  @Test func `a chain passes start, clocks and stop on`() throws {
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
}
