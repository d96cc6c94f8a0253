// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Labels with values that were calculated by hand.
@Suite struct ConformanceTests {
  struct Row: Sendable {
    let label: TimecodeLabel
    let rate: FrameRate
    let frame: Int64
    let microseconds: Int64
  }

  private static let rates: [FrameRate] = [
    .fps25, .fps30, .fps2997, .fps2997Drop, .fps30Drop, .fps5994Drop, .fps23976,
  ]

  /// A label at all rates, with its frames field, frame number and microseconds at each.
  private static func rows(
    _ hours: UInt8, _ minutes: UInt8, _ seconds: UInt8, _ cells: [(UInt8, Int64, Int64)]
  ) -> [Row] {
    zip(rates, cells).map { rate, cell in
      Row(
        label: TimecodeLabel(
          hours: hours, minutes: minutes, seconds: seconds, frames: cell.0),
        rate: rate, frame: cell.1, microseconds: cell.2)
    }
  }

  private static let minute = rows(
    0, 1, 0,
    [
      (2, 1502, 60_080_000), (2, 1802, 60_066_667), (2, 1802, 60_126_733),
      (2, 1800, 60_060_000), (2, 1800, 60_000_000), (4, 3600, 60_060_000),
      (2, 1442, 60_143_417),
    ])
  private static let tenMinutes = rows(
    0, 10, 0,
    [
      (0, 15000, 600_000_000), (0, 18000, 600_000_000), (0, 18000, 600_600_000),
      (0, 17982, 599_999_400), (0, 17982, 599_400_000), (0, 35964, 599_999_400),
      (0, 14400, 600_600_000),
    ])
  private static let hour = rows(
    1, 0, 0,
    [
      (0, 90000, 3_600_000_000), (0, 108_000, 3_600_000_000), (0, 108_000, 3_603_600_000),
      (0, 107_892, 3_599_996_400), (0, 107_892, 3_596_400_000), (0, 215_784, 3_599_996_400),
      (0, 86400, 3_603_600_000),
    ])
  private static let last = rows(
    23, 59, 59,
    [
      (24, 2_159_999, 86_399_960_000), (29, 2_591_999, 86_399_966_667),
      (29, 2_591_999, 86_486_366_633), (29, 2_589_407, 86_399_880_233),
      (29, 2_589_407, 86_313_566_667), (59, 5_178_815, 86_399_896_917),
      (23, 2_073_599, 86_486_358_292),
    ])

  @Test(arguments: minute + tenMinutes + hour + last)
  func `SMPTE table`(_ row: Row) throws {
    let code = try Timecode(label: row.label, rate: row.rate)
    #expect(code.count == row.frame)
    #expect(try (code.seconds * 1_000_000).rounded(.nearest).value == row.microseconds)
    #expect(try Timecode(frame: row.frame, rate: row.rate).label(.signed) == row.label)
  }

  private static func map(_ meters: [(Ratio, Int, Int)]) throws -> MeterMap {
    try MeterMap(
      changes: meters.map { position, numerator, denominator in
        MeterChange(
          position: position,
          signature: try TimeSignature(numerator: numerator, denominator: denominator))
      })
  }

  @Test func `bar-beat vectors: 4/4, 6/8, 5/8 to 3/4, and before the start`() throws {
    let meterChange = Ratio(5, over: 2)
    let cases: [(meters: [(Ratio, Int, Int)], quarters: Ratio, label: BarBeat)] = [
      ([], 0, BarBeat(bar: 1, beat: 1)), ([], 1, BarBeat(bar: 1, beat: 2)),
      ([], 4, BarBeat(bar: 2, beat: 1)),
      ([], Ratio(9, over: 2), BarBeat(bar: 2, beat: 1, subbeat: 240)),
      ([], -1, BarBeat(bar: 0, beat: 4)), ([], -4, BarBeat(bar: 0, beat: 1)),
      ([], Ratio(-9, over: 2), BarBeat(bar: -1, beat: 4, subbeat: 240)),
      ([(0, 6, 8)], meterChange, BarBeat(bar: 1, beat: 6)),
      ([(0, 6, 8)], 3, BarBeat(bar: 2, beat: 1)),
      ([(0, 6, 8)], Ratio(11, over: 4), BarBeat(bar: 1, beat: 6, subbeat: 240)),
      ([(0, 5, 8), (meterChange, 3, 4)], 2, BarBeat(bar: 1, beat: 5)),
      ([(0, 5, 8), (meterChange, 3, 4)], meterChange, BarBeat(bar: 2, beat: 1)),
      ([(0, 5, 8), (meterChange, 3, 4)], Ratio(7, over: 2), BarBeat(bar: 2, beat: 2)),
      ([(0, 5, 8), (meterChange, 3, 4)], Ratio(11, over: 2), BarBeat(bar: 3, beat: 1)),
    ]
    for (meters, quarters, label) in cases {
      let map = try Self.map(meters)
      #expect(try map.barBeat(at: quarters, divisor: 480, rounding: .exact).value == label)
      #expect(try map.quarters(at: label) == quarters)
    }
  }
}
