// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct MeterMapTests {
  static func change(_ position: Ratio, _ numerator: Int, _ denominator: Int) throws -> MeterChange
  {
    MeterChange(
      position: position,
      signature: try TimeSignature(numerator: numerator, denominator: denominator))
  }

  @Test func `a change inside a bar shortens it, and the lost beats do not exist`() throws {
    let map = try MeterMap(changes: [Self.change(6, 3, 4)])
    let label = try map.barBeat(at: 6, divisor: 480, rounding: .exact).value
    #expect(label == BarBeat(bar: 3, beat: 1))
    #expect(throws: TimeError.pastEndOfBar("2|3|0/480")) {
      try map.quarters(at: BarBeat(bar: 2, beat: 3))
    }
  }

  @Test func `a deferred change waits for the bar line`() throws {
    let map = try MeterMap(changes: [Self.change(6, 3, 4)], policy: .defer)
    #expect(map.changes.map(\.position) == [0, 8])
    #expect(try map.quarters(at: BarBeat(bar: 2, beat: 3)) == 6)
    #expect(throws: TimeError.fieldOutOfRange(field: "beat", value: "4", range: "1…3 in 3/4")) {
      try map.quarters(at: BarBeat(bar: 3, beat: 4))
    }
  }

  @Test func `a pickup is the end of bar 0`() throws {
    let map = try MeterMap(barOneAt: 1)
    let label = try map.barBeat(at: 0, divisor: 480, rounding: .exact).value
    #expect(label == BarBeat(bar: 0, beat: 4))
    #expect(try map.quarters(at: BarBeat(bar: 0, beat: 4)) == 0)
  }

  @Test func `an origin after a later change begins bar 1 there`() throws {
    let map = try MeterMap(changes: [Self.change(8, 3, 4)], barOneAt: 9)
    #expect(try map.quarters(at: BarBeat(bar: 1, beat: 1)) == 9)
    #expect(try map.quarters(at: BarBeat(bar: 0, beat: 1)) == 8)
    #expect(try map.quarters(at: BarBeat(bar: -2, beat: 1)) == 0)
  }

  @Test func `rounding up carries through beat, bar and meter change`() throws {
    let map = try MeterMap(changes: [Self.change(4, 7, 8)])
    let label = try map.barBeat(at: Ratio(39999, over: 10000), divisor: 480, rounding: .nearest)
    #expect(label.value == BarBeat(bar: 2, beat: 1))
    #expect(label.residue == Ratio(-12, over: 125))
  }

  @Test(arguments: [(4, 0), (4, 3), (0, 4), (256, 4), (4, -4), (4, 65536)])
  func `an impossible meter is refused`(_ numerator: Int, _ denominator: Int) {
    #expect(throws: TimeError.badMeter(numerator: numerator, denominator: denominator)) {
      try TimeSignature(numerator: numerator, denominator: denominator)
    }
  }
}
