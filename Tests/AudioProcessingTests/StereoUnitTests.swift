// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct StereoUnitTests {
  private let unit = StereoUnit(rate: Rate.studio)

  private func heard(
    _ source: any ProcessingUnit, _ values: [(StereoUnit.Setting, Float)], quanta: Int = 10
  ) throws -> [[Float]] {
    for (setting, value) in values { unit.parameters.hold(setting, to: value) }
    return try PlanListener(source, through: unit).render(quanta: quanta)
  }

  /// A signal whose sides are opposite, so that it has only a side component.
  private let sides = SignalUnit(.count)
  private let middle = SignalUnit(.constant(0.5))

  @Test func `with its defaults it passes everything bit for bit`() throws {
    let heard = try heard(sides, [])
    #expect(heard[0] == (0..<640).map { Float($0) / 1_000_000 })
    #expect(heard[1] == (0..<640).map { -Float($0) / 1_000_000 })
  }

  @Test func `width and side change the difference, mid changes the middle`() throws {
    #expect(try heard(sides, [(.width, 0)])[0].allSatisfy { $0 == 0 })
    #expect(abs(try heard(sides, [(.width, 2)])[0][600] - 0.0012) < 1e-8)
    #expect(abs(try heard(sides, [(.width, 1), (.side, 6.0206)])[1][600] + 0.0012) < 1e-8)
    #expect(try heard(middle, [])[0].allSatisfy { $0 == 0.5 })
    let lower = try heard(middle, [(.mid, -20)])[1]
    #expect(lower.allSatisfy { abs($0 - 0.05) < 1e-6 })
  }

  @Test func `balance attenuates the other side in a straight line`() throws {
    for (place, left, right) in [(-1, 0.5, 0), (0.5, 0.25, 0.5), (1, 0, 0.5)]
      as [(Float, Float, Float)]
    {
      let heard = try heard(middle, [(.balance, place)])
      #expect(heard[0].allSatisfy { $0 == left } && heard[1].allSatisfy { $0 == right })
    }
  }

  @Test func `below a frequency both sides become one`() throws {
    let heard = try heard(ImpulseUnit(channel: 0), [(.monoBelow, 120)], quanta: 750)
    let apart = zip(heard[0], heard[1]).map { $0 - $1 }
    let sum = zip(heard[0], heard[1]).map { $0 + $1 }
    let scale = Double(apart.count) / 2
    let low = Tone(apart, hertz: 60, rate: 48_000).amplitude * scale
    let high = Tone(apart, hertz: 1200, rate: 48_000).amplitude * scale
    // An octave below, a second-order filter has lost 1 / √(1 + 2⁴).
    #expect(abs(decibels(low) + 12.3) < 0.1 && abs(decibels(high)) < 0.1)
    #expect(abs(sum[0] - 1) < 1e-6 && sum[1...].allSatisfy { abs($0) < 1e-6 })
  }
}
