// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Realtime
import TestSupport
import Testing

@testable import ClockService

/// Positions of clocks between ticks.
@Suite struct ClockExactTests {
  private func at(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds) }

  private func snapshot(_ clock: MusicClock) -> ClockSnapshot {
    let lane = EventLane(
      clock: clock, sources: [], start: .zero, reference: ReferenceClock())
    return ClockSnapshot(lane.snapshotState(at: .zero), of: clock)
  }

  /// 120, 93.7 and 210.001 bpm at 480 PPQN.
  private func map() throws -> TempoMap {
    let resolution = try #require(PPQN(480))
    let tempi = try [Ratio(120), Ratio(937, over: 10), Ratio(210_001, over: 1000)].map {
      try Tempo.beatsPerMinute($0, rounding: .nearest).value
    }
    return try TempoMap(
      division: .ppqn(resolution),
      changes: zip([0, 961, 3000], tempi).map { TempoChange(tick: Tick($0), tempo: $1) })
  }

  @Test func `the position between two ticks is exact`() throws {
    var clock = MusicClock(tempoMap: try .constant(500_000))
    clock.sampleRate = .hertz48000
    let start = at(1_234_567_891)
    try clock.start(from: 0, at: start.reference)
    let snapshot = snapshot(clock)
    let time = start.advanced(byNanoseconds: 100_500)
    func value(_ format: TimeFormat, _ rounding: Rounding = .exact) throws -> Converted<TimeValue> {
      try snapshot.value(at: time, in: format, rounding: rounding)
    }
    // 100 500 ns are 201/2 000 000 s, twice that in quarter notes, and 4.824 frames at 48 kHz.
    #expect(try value(.seconds) == Converted(exactly: .number(Ratio(201, over: 2_000_000))))
    #expect(try value(.beats) == Converted(exactly: .number(Ratio(201, over: 1_000_000))))
    #expect(try value(.nanoseconds) == Converted(exactly: .count(100_500)))
    #expect(throws: TimeError.inexact(unit: "ticks")) { try value(.ticks) }
    let frames = try value(.samples, .floor)
    #expect(frames.value == .count(4) && frames.residue == Ratio(103, over: 125))
    #expect(try snapshot.ticks(at: time) == Ratio(201 * 480, over: 1_000_000))
    let back = try snapshot.time(
      of: .seconds(Ratio(201, over: 2_000_000)), from: start, rounding: .exact)
    #expect(back?.value == time)
  }

  @Test func `instants and positions between ticks convert both ways with tempi, rates and loops`()
    throws
  {
    for rate in [Ratio(1), Ratio(3, over: 7), Ratio(1_059_463, over: 1_000_000)] {
      for loop in [nil, LoopRange(start: 700, end: 3500)] {
        var clock = try MusicClock(tempoMap: map(), playRate: rate)
        clock.setLoop(loop, at: .zero)
        try clock.start(from: 13, at: at(77).reference)
        for step in Int64(0)..<400 {
          let time = at(77 + step * 40_000_003).reference
          let ticks = try clock.ticks(at: time)
          let above = try ticks.rounded(.ceil, unit: "ticks").value
          #expect(Tick(above) == clock.position(at: time).tick)
          let due = try #require(try clock.nanoseconds(ofTicks: ticks, from: time))
          #expect(due == Ratio(time.nanoseconds), "\(rate) \(time)")
        }
      }
    }
  }

  @Test func `a clock locates to and starts from a fraction of a beat`() throws {
    let clock = try Transport(MusicClock(tempoMap: try .constant(500_000)))
    let place = Ratio(1, over: 3)
    // 160 ticks are a third of a beat; a seventh of a beat is between ticks.
    try clock.start(from: .quarters(place), at: at(DeadlineWait.now + 50_000_000))
    while !clock.snapshot.isRunning {
      _ = try DeadlineWait().wait(until: DeadlineWait.now + 1_000_000)
    }
    let snapshot = clock.snapshot
    let start = try #require(
      try snapshot.time(of: .quarters(place), from: .zero, rounding: .exact)
    ).value
    #expect(try snapshot.ticks(at: start) == 160)
    let seventh = try #require(
      try snapshot.time(of: .quarters(Ratio(10, over: 7)), from: start, rounding: .floor))
    // 10/7 − 1/3 = 23/21 beats are 547 619 047 13/21 ns.
    #expect(seventh.value.nanoseconds - start.nanoseconds == 547_619_047)
    #expect(seventh.residue == Ratio(13, over: 21))
    clock.end()
    var standing = MusicClock(tempoMap: try .constant(500_000))
    try standing.locate(toTicks: Ratio(480, over: 7), at: .zero)
    let held = try Ratio(480, over: 7) - standing.ticks(at: .zero)
    // 2⁻¹⁶ of a unit of 1/48 000 000 000 s, in ticks of 50 000 000 units.
    #expect(held >= 0 && held < Ratio(1, over: 65_536 * 50_000_000))
  }

  @Test func `a change of the sample rate is reported`() throws {
    let clock = try Transport(MusicClock(tempoMap: try .constant(500_000)))
    let rate = try #require(SampleRate(hertz: 44_100))
    try clock.setSampleRate(rate)
    try clock.locate(to: .seconds(2))
    while clock.snapshot.position(at: at(DeadlineWait.now)).tick != 1920 {
      _ = try DeadlineWait().wait(until: DeadlineWait.now + 1_000_000)
    }
    let value = try clock.snapshot.value(
      at: at(DeadlineWait.now), in: .samples, rounding: .exact)
    #expect(value.value == .count(88_200))
    clock.end()
  }
}
