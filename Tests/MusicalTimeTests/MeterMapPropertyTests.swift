// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import TestSupport
import Testing

/// Properties of every meter map.
@Suite struct MeterMapPropertyTests {
  static func randomMap(
    _ random: inout SplitMix, _ ppqn: PPQN, _ policy: MidBarPolicy
  ) throws -> MeterMap {
    let changes = try (0..<Int.random(in: 0...12, using: &random)).map { _ in
      MeterChange(
        tick: Tick(Int64.random(in: 0...40_000, using: &random)), ppqn: ppqn,
        signature: try TimeSignature(
          numerator: Int.random(in: 1...13, using: &random),
          denominator: 1 << Int.random(in: 0...5, using: &random)))
    }
    let origin = Ratio(Int64.random(in: -9...40, using: &random), over: 4)
    return try MeterMap(changes: changes, barOneAt: origin, policy: policy)
  }

  @Test(arguments: [MidBarPolicy.truncate, .defer])
  func `tick to label and back is exact before bar 1 too, in integers and ratios`(
    _ policy: MidBarPolicy
  ) throws {
    var random = SplitMix(seed: 11)
    for ticks in [1, 96, 480, 960, 32767] {
      let ppqn = try #require(PPQN(ticks))
      for _ in 0..<8 {
        let map = try Self.randomMap(&random, ppqn, policy)
        var last = Ratio(-4000)
        for tick in stride(from: Int64(-3000), to: 60_000, by: 1999) {
          let quarters = Ratio(tick, over: Int64(ticks))
          for rounding in [Rounding.floor, .ceil, .nearest] {
            let slow = try map.barBeat(at: quarters, divisor: 480, rounding: rounding)
            let fast = try map.barBeat(
              at: Tick(tick), ppqn: ppqn, divisor: 480, rounding: rounding)
            #expect(fast == slow)
            let back = try map.quarters(at: slow.value)
            if slow.isExact { #expect(back == quarters) }
            if rounding == .floor {
              #expect(back <= quarters && back >= last)
              last = back
            }
            if rounding == .ceil { #expect(back >= quarters) }
          }
        }
      }
    }
  }

  @Test func `label to position and back is exact for every label`() throws {
    var random = SplitMix(seed: 12)
    let ppqn = try #require(PPQN(480))
    for _ in 0..<20 {
      let map = try Self.randomMap(&random, ppqn, .truncate)
      for bar in Int32(-3)...30 {
        for beat in UInt16(1)...13 {
          let label = BarBeat(bar: bar, beat: beat, subbeat: 7, divisor: 16)
          do {
            let quarters = try map.quarters(at: label)
            #expect(try map.barBeat(at: quarters, divisor: 16, rounding: .exact).value == label)
          } catch {
            #expect(["past-end-of-bar", "field-out-of-range"].contains(error.name))
          }
        }
      }
    }
  }

  @Test func `positions beyond 64 bits throw and do not trap`() throws {
    let map = try MeterMap(
      changes: [MeterChange(position: 3, signature: TimeSignature(numerator: 7, denominator: 8))])
    for tick in [Int64.min, .max] {
      #expect(throws: TimeError.self) {
        try map.barBeat(at: Tick(tick), ppqn: #require(PPQN(1)), divisor: 480, rounding: .floor)
      }
    }
    #expect(throws: TimeError.self) {
      try map.barBeat(at: 0, divisor: 0, rounding: .floor)
    }
    #expect(throws: TimeError.self) {
      try map.barBeat(at: 0, ppqn: #require(PPQN(1)), divisor: 0, rounding: .floor)
    }
    #expect(throws: TimeError.beatBelowOne("1|0|0/480")) {
      try map.quarters(at: BarBeat(bar: 1, beat: 0))
    }
  }
}
