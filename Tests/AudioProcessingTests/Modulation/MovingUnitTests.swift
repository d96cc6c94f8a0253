// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Phasers, tremolos, wahs and rotary speakers.
@Suite struct MovingUnitTests {
  private func level(_ hertz: Double, _ unit: any ProcessingUnit) throws -> Double {
    let heard = try PlanListener(SignalUnit.tone(hertz, amplitude: 0.01), through: unit)
    let tone = Tone(heard.render(quanta: 300)[0].suffix(9600), hertz: hertz, rate: 48_000)
    return decibels(tone.amplitude / 0.01)
  }

  @Test func `a phaser at rest has notches at the half turns of its stages`() throws {
    // Six stages: tan π/12, 1 and tan 5π/12 times the frequency, warped by the bilinear transform.
    for (hertz, isNotch) in [(1000.0, true), (268.4, true), (3617.0, true), (580.0, false)] {
      let unit = PhaserUnit(rate: Rate.studio)
      unit.parameters.hold(["depth": 0, "frequency": 1000, "resonance": 0, "mix": 0.5])
      let found = try level(hertz, unit)
      #expect(isNotch ? found < -30 : found > -3, "\(hertz) Hz: \(found) dB")
    }
  }

  @Test func `a tremolo falls by its depth, at its rate`() throws {
    let unit = TremoloUnit(rate: Rate.studio)
    unit.parameters.hold(["rate": 5, "depth": 0.75, "wave": 2])
    let heard = try PlanListener(SignalUnit(.constant(1)), through: unit).render(quanta: 750)
    let late = Array(heard[0].suffix(38_400))
    #expect(abs((late.min() ?? 0) - 0.25) < 0.002 && abs((late.max() ?? 0) - 1) < 0.002)
    let falls = late.indices.dropLast().filter { late[$0] >= 0.625 && late[$0 + 1] < 0.625 }
    #expect(
      falls.count == 4 && zip(falls, falls.dropFirst()).allSatisfy { abs($1 - $0 - 9600) < 3 })
    #expect(heard[0] == heard[1])
  }

  @Test func `an auto pan moves the sides in opposition`() throws {
    let unit = TremoloUnit(spread: 1, rate: Rate.studio)
    unit.parameters.hold(["rate": 2, "depth": 1, "wave": 0])
    let heard = try PlanListener(SignalUnit(.constant(1)), through: unit).render(quanta: 750)
    for frame in 4800..<48_000 { #expect(abs(heard[0][frame] + heard[1][frame] - 1) < 0.001) }
    #expect(heard[0].suffix(40_000).max() ?? 0 > 0.99)
  }

  @Test func `a square falls and rises at once, and a saw in a line`() throws {
    for (wave, share) in [(1, 0.0), (3, 0.8)] as [(Float, Double)] {
      let unit = TremoloUnit(rate: Rate.studio)
      unit.parameters.hold(["rate": 2, "depth": 1, "wave": wave])
      let heard = try PlanListener(SignalUnit(.constant(1)), through: unit).render(quanta: 750)[0]
      let between = heard.suffix(24_000).filter { $0 > 0.1 && $0 < 0.9 }
      #expect(abs(Double(between.count) / 24_000 - share) < 0.02)
    }
  }

  @Test func `a wah passes its centre frequency, and rises with the level`() throws {
    let unit = WahUnit(rate: Rate.studio)
    unit.parameters.hold(["frequency": 1000, "sensitivity": 0, "peak": 8])
    #expect(abs(try level(1000, unit)) < 0.1)
    #expect(try level(4000, unit) < -25)
    unit.parameters.hold(["sensitivity": 1])
    let loud = try PlanListener(SignalUnit.tone(4000, amplitude: 0.5), through: unit)
    let tone = Tone(loud.render(quanta: 300)[0].suffix(9600), hertz: 4000, rate: 48_000)
    // The follower is a little below the peaks.
    #expect(decibels(tone.amplitude / 0.5) > -9)
  }

  @Test func `a rotary speaker turns at its rates, and changes speed gradually`() throws {
    let unit = RotaryUnit(rate: Rate.studio)
    unit.parameters.hold(["horn fast": 5, "horn slow": 1, "horn time": 0.02, "speed": 1])
    let heard = try PlanListener(SignalUnit.tone(4000), through: unit).render(quanta: 1500)[0]
    // The level of each hundredth of a second, over one second.
    let levels = (0..<100).map { part in
      Array(heard[(48_000 + part * 480)..<(48_000 + part * 480 + 480)]).rms
    }
    let mean = levels.reduce(0, +) / 100
    let crossings = levels.indices.dropLast().filter {
      levels[$0] < mean && levels[$0 + 1] >= mean
    }
    #expect((4...6).contains(crossings.count), "\(crossings)")
  }

  @Test func `horn and drum share the sound at 800 Hz`() throws {
    for (silenced, hertz) in [("horn level", 8000.0), ("drum level", 80.0)] {
      let unit = RotaryUnit(rate: Rate.studio)
      unit.parameters.hold([silenced: 0, "separation": 0])
      #expect(try level(hertz, unit) < -35)
    }
  }
}
