// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TempoRampTests {
  static func ramp(_ shape: RampShape) throws -> TempoRamp {
    try TempoRamp(from: 120, to: 60, quarters: 16, shape: shape)
  }

  @Test(arguments: [
    (RampShape.linearOverBeats, 11.090_354_889), (.linearOverTime, 10.666_666_667),
    (.geometricOverBeats, 11.541_560_327),
  ])
  func `the three shapes from 120 to 60 over 16 quarters have three durations`(
    _ shape: RampShape, _ seconds: Double
  ) throws {
    let duration = try Self.ramp(shape).duration().approximation
    #expect(abs(duration - seconds) < 1e-9)
  }

  @Test(arguments: RampShape.allCases)
  func `time and position are inverse`(_ shape: RampShape) throws {
    for (from, to): (Ratio, Ratio) in [(120, 60), (60, 240), (100, Ratio(1_000_001, over: 10_000))]
    {
      let ramp = try TempoRamp(from: from, to: to, quarters: 64, shape: shape)
      for step in Int64(0)...64 {
        let seconds = try ramp.seconds(atQuarters: Ratio(step)).approximation
        let grid = Ratio(Int64((seconds * 1e15).rounded()), over: 1_000_000_000_000_000)
        guard step < 64 else { continue }
        let back = try ramp.quarters(atSeconds: grid).approximation
        #expect(abs(back - Double(step)) < 1e-11)
      }
    }
  }

  @Test(arguments: RampShape.allCases, [TempoRamp.StepUnit.tenNanoseconds, .microseconds])
  func `steps end exactly at the end of the rounded ramp, in a map and a file`(
    _ shape: RampShape, _ unit: TempoRamp.StepUnit
  ) throws {
    let ppqn = try #require(PPQN(960))
    for (from, to): (Ratio, Ratio) in [(120, 60), (70, 191), (100, Ratio(1001, over: 10))] {
      let ramp = try TempoRamp(from: from, to: to, quarters: 15, shape: shape)
      let changes = try ramp.changes(from: 480, ppqn: ppqn, stepTicks: 40, unit: unit)
      let map = try TempoMap(division: .ppqn(ppqn), changes: changes)
      let end = Tick(480 + 15 * 960)
      let total = try map.seconds(at: end) - map.seconds(at: 480)
      let grid = try (total * 960_000_000).rounded(.exact).value
      let exact = try ramp.duration().approximation * 960_000_000
      #expect(abs(Double(grid) - exact) <= 0.5 + 1e-5)
      #expect(changes.last?.tick == end)
      for tick in stride(from: Int64(0), through: 15 * 960, by: 240) {
        let time = try map.seconds(at: Tick(480 + tick)) - map.seconds(at: 480)
        let curve = try ramp.seconds(atQuarters: Ratio(tick, over: 960)).approximation
        // Half of 40 ticks, in units of tempo / PPQN; at the end half of the grid.
        let bound = (21 * Double(unit.rawValue) + 51) * 1e-8 / 960
        #expect(abs(time.approximation - curve) < bound)
      }
      if unit == .microseconds {
        #expect(changes.allSatisfy { $0.tempo.microsecondsPerQuarter.isInteger })
      }
    }
  }

  @Test func `an impossible ramp is refused`() throws {
    for (from, to, length): (Ratio, Ratio, Ratio) in [(0, 60, 4), (60, -1, 4), (60, 60, 0)] {
      #expect(throws: TimeError.self) {
        try TempoRamp(from: from, to: to, quarters: length, shape: .linearOverTime)
      }
    }
    #expect(throws: TimeError.self) { try Self.ramp(.linearOverTime).seconds(atQuarters: 17) }
    #expect(throws: TimeError.self) { try Self.ramp(.linearOverTime).quarters(atSeconds: -1) }
  }

  @Test(arguments: RampShape.allCases)
  func `extreme tempi neither trap nor change sign`(_ shape: RampShape) throws {
    let ramp = try TempoRamp(
      from: 1, to: 1_000_000_000_000_000_000, quarters: 1, shape: shape)
    #expect(try ramp.duration().approximation > 0)
    #expect(throws: TimeError.self) {
      try ramp.changes(
        from: 0, ppqn: #require(PPQN(960)), stepTicks: 0, unit: .microseconds)
    }
  }
}
