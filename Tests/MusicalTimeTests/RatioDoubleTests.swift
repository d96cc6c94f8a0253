// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct RatioDoubleTests {
  @Test func `a literal is the number that was written`() {
    let ratios: [Ratio] = [1.5, 0.1, 29.97, -2.25, 1e-3, 1e20, 3]
    #expect(
      ratios.map(\.description)
        == ["3/2", "1/10", "2997/100", "-9/4", "1/1000", "100000000000000000000", "3"])
  }

  @Test func `a number is read exactly, or as the shortest decimal`() throws {
    #expect(try Ratio(exactly: 0.1).description == "3602879701896397/36028797018963968")
    #expect(try Ratio(exactly: -0.75) == Ratio(-3, over: 4))
    #expect(try Ratio(exactly: 0) == 0)
    #expect(try Ratio(exactly: Double(Int64.max)) == Ratio(exactly: 1 << 63, over: 1))
    #expect(try Ratio(shortest: 1 / 3).description == "3333333333333333/10000000000000000")
    for value in [0.1, 1e-20, 123_456.789, 5e17, -1 / 3] as [Double] {
      #expect(try Ratio(shortest: value).approximation == value)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude])
  func `NaN, infinity and values that do not fit are errors`(value: Double) {
    #expect(throws: TimeError.self) { try Ratio(exactly: value) }
    #expect(throws: TimeError.self) { try Ratio(shortest: value) }
  }

  @Test func `a tempo is stored to 10 ns per quarter note, with its rounding error`() throws {
    #expect(try Tempo(beatsPerMinute: 120) == .standard)
    #expect(try Tempo(beatsPerMinute: 130).tenNanosecondsPerQuarter == 46_153_846)
    #expect(try Tempo(beatsPerMinute: 97.5) == Tempo.beatsPerMinute(97.5, rounding: .nearest).value)
    #expect(throws: TimeError.self) { try Tempo(beatsPerMinute: 0) }
    #expect(PPQN.standard.ticks == 480 && SampleRate.hertz44100.hertz == 44_100)
    #expect(SampleRate.hertz96000.hertz == 96_000)
  }
}
