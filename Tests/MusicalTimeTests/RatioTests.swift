// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import TestSupport
import Testing

@Suite struct RatioTests {
  @Test(arguments: [
    ("12", Ratio(12)), ("-3.25", Ratio(-13, over: 4)), ("1001/30000", Ratio(1001, over: 30000)),
    ("123.456/2", Ratio(61728, over: 1000)), (".5", Ratio(1, over: 2)), ("0", 0), ("-0", 0),
  ])
  func `numbers are read exactly`(_ text: String, _ value: Ratio) throws {
    #expect(try Ratio(parsing: text) == value)
  }

  @Test(arguments: [
    "", "-", "1.", "1/", "1/0", "x", "1e5", "--1", " 1", "1.2.3",
    String(repeating: "9", count: 50),
  ])
  func `text that is not a number is refused`(_ text: String) {
    #expect(throws: TimeError.self) { try Ratio(parsing: text) }
  }

  @Test func `order is exact if products need more than 128 bits`() throws {
    let large: Int128 = 1 << 100
    let one = try Ratio(exactly: large + 1, over: large)
    let other = try Ratio(exactly: large, over: large - 1)
    #expect(one < other && !(other < one))
    #expect(-other < -one)
    #expect(try Ratio(exactly: large, over: large - 1) == other)
  }

  @Test func `results that do not fit throw and do not trap`() throws {
    let large = try Ratio(exactly: .max, over: 1)
    let small = try Ratio(exactly: 1, over: .max)
    #expect(throws: TimeError.overflow("ratio")) { try large + 1 }
    #expect(throws: TimeError.overflow("ratio")) { try -large - 2 }
    #expect(throws: TimeError.overflow("ratio")) { try large * 2 }
    #expect(throws: TimeError.overflow("ratio")) { try large / small }
    #expect(throws: TimeError.overflow("ratio")) { try small + Ratio(1, over: 3) }
    #expect(throws: TimeError.zeroDenominator) { try large / 0 }
    #expect(throws: TimeError.self) { try Ratio(exactly: .min, over: 1) }
    #expect(throws: TimeError.self) { try large.rounded(.floor) }
  }

  @Test(
    arguments: [
      (Rounding.floor, [-2, -2, -1, 0, 1, 1]), (.ceil, [-1, -1, 0, 1, 2, 2]),
      (.nearest, [-2, -2, 0, 0, 2, 2]),
    ] as [(Rounding, [Int64])])
  func `a half is rounded away from zero`(_ rounding: Rounding, _ answers: [Int64]) throws {
    let values = [(-5, 3), (-3, 2), (-1, 3), (1, 3), (3, 2), (5, 3)] as [(Int64, Int64)]
    for ((numerator, denominator), answer) in zip(values, answers) {
      let value = Ratio(numerator, over: denominator)
      let rounded = try value.rounded(rounding)
      #expect(rounded.value == answer)
      #expect(try Ratio(rounded.value) + rounded.residue == value)
    }
  }

  @Test func `random bytes never trap a reader`() {
    var random = SplitMix(seed: 21)
    let alphabet = Array("0123456789:;.|/@-+ dfbmshnqtu%é".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...24, using: &random)
      let bytes = (0..<length).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      #expect(Self.reads(bytes) >= 0)
    }
  }

  /// The number of readers that accept some bytes; all others throw.
  private static func reads(_ bytes: [UInt8]) -> Int {
    let readers: [() throws -> Void] = [
      { _ = try Ratio(parsing: bytes.span) },
      { _ = try FrameRate(parsing: bytes.span) },
      { _ = try TimecodeText(parsing: bytes.span).timecode(rate: .fps25, subframeBase: 80) },
      { _ = try TimeExpression(utf8: bytes.span) },
      { _ = try MTCTime(fullFrame: bytes) },
      { _ = try MTCTime(quarterFrames: bytes) },
      { _ = try SMPTEOffset(payload: bytes) },
    ]
    return readers.reduce(0) { count, reader in
      do {
        try reader()
        return count + 1
      } catch {
        return error is TimeError ? count : -1000
      }
    }
  }
}
