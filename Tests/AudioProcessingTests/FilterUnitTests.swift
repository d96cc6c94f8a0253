// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct FilterUnitTests {
  /// The output level of a tone through a unit, in decibels.
  private func level(_ hertz: Double, _ unit: FilterUnit) throws -> Double {
    let listener = try PlanListener(SignalUnit.tone(hertz, amplitude: 1), through: unit)
    listener.render(quanta: 150)
    let heard = listener.render(quanta: 150)[0]
    return decibels(Tone(heard, hertz: hertz, rate: 48_000).amplitude)
  }

  /// The Butterworth formula with the frequency warping of the bilinear transform.
  private func expected(_ hertz: Double, _ unit: FilterUnit) -> Double {
    let ratio = tan(.pi * hertz / 48_000) / tan(.pi * Double(unit[.frequency]) / 48_000)
    let power = pow(unit.kind == .lowPass ? ratio : 1 / ratio, Double(unit.slope) / 6 * 2)
    return -10 * log10(1 + power)
  }

  @Test(arguments: FilterUnit.Kind.allCases, [12, 24, 36, 48])
  func `the response matches the formula`(kind: FilterUnit.Kind, slope: Int) throws {
    let unit = FilterUnit(kind, slope: slope, rate: Rate.studio)
    unit.parameters.hold(FilterUnit.Setting.frequency, to: 1000)
    for hertz in [500, 1000, 1500, 3000] as [Double] {
      let result = try level(hertz, unit)
      #expect(abs(result - expected(hertz, unit)) < 0.02, "\(hertz) Hz: \(result) dB")
    }
  }

  @Test func `resonance raises the level around the frequency`() throws {
    let unit = FilterUnit(.lowPass, rate: Rate.studio)
    unit.parameters.hold(FilterUnit.Setting.frequency, to: 1000)
    unit.parameters.hold(FilterUnit.Setting.resonance, to: 5)
    #expect(abs(try level(1000, unit) - decibels(5)) < 0.02)
    #expect(abs(try level(100, unit)) < 0.1)
  }

  @Test func `a moving frequency does not click`() throws {
    let unit = FilterUnit(.highPass, slope: 24, rate: Rate.studio)
    let listener = try PlanListener(SignalUnit.tone(200, amplitude: 0.3), through: unit)
    listener.render(quanta: 100)
    unit[.frequency] = 2000
    let heard = listener.render(quanta: 50)[0]
    let bends = zip(zip(heard, heard.dropFirst()), heard.dropFirst(2)).map {
      abs($1 - 2 * $0.1 + $0.0)
    }
    // The tone's slope changes by 0.0002 per frame.
    #expect((bends.max() ?? 1) < 0.004)
  }

  @Test func `silence stays silent, at any rate`() throws {
    for hertz in [8000, 192_000] {
      let rate = try #require(SampleRate(hertz: hertz))
      let unit = FilterUnit(.lowPass, slope: 48, rate: rate)
      #expect(unit[.frequency] <= Float(hertz) * 0.49)
      let heard = try PlanListener(SignalUnit(.constant(0)), through: unit).render(quanta: 10)
      #expect(heard[0].allSatisfy { $0 == 0 })
    }
  }
}
