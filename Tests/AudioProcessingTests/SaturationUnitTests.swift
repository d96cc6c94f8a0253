// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct SaturationUnitTests {
  private let unit = SaturationUnit(rate: Rate.studio)

  private func set(_ values: [(SaturationUnit.Setting, Float)]) {
    for (setting, value) in values { unit.parameters.hold(setting, to: value) }
  }

  private func heard(_ signal: SignalUnit, quanta: Int = 512) throws -> [Float] {
    let listener = try PlanListener(signal, through: unit)
    listener.render(quanta: 10)
    return listener.render(quanta: quanta)[0]
  }

  @Test func `quiet sound is raised without distortion, 32 frames late`() throws {
    set([(.drive, 20)])
    let heard = try heard(SignalUnit.tone(1000, amplitude: 0.0001))
    let tone = Tone(heard.prefix(9600), hertz: 1000, rate: 48_000)
    // The drive multiplies by ten, and the curve is scaled to reach 1 at full scale.
    #expect(abs(tone.amplitude / 0.001 - 1) < 0.001)
    let late = 2 * Double.pi * 1000 * (640 - 32) / 48_000
    #expect(abs((tone.phase - late).remainder(dividingBy: 2 * .pi)) < 0.001)
    #expect(unit.latency == 32)
  }

  @Test func `full scale stays full scale, whatever the drive`() throws {
    for drive in [0, 6, 20, 48] as [Float] {
      set([(.drive, drive)])
      let samples = try heard(SignalUnit(.constant(1)), quanta: 10)
      #expect(samples.allSatisfy { abs($0 - 1) < 0.001 }, "\(drive) dB")
    }
  }

  @Test func `it adds odd overtones, and hardly anything else`() throws {
    set([(.drive, 18)])
    // The centre of a bin, so that its overtones are at bin centres, too.
    let hertz = 48_000.0 / 16_384 * 341
    let samples = try heard(SignalUnit.tone(hertz, amplitude: 0.7))
    let spectrum = Spectrum(Array(samples.prefix(16_384)), hertz: 48_000)
    let base = spectrum.peak(in: hertz - 20..<hertz + 20)
    func level(_ times: Double) -> Double {
      decibels(spectrum.peak(in: hertz * times - 20..<hertz * times + 20) / base)
    }
    #expect(level(3) > -20 && level(5) > -40)
    #expect(level(2) < -90 && level(4) < -90)
  }

  @Test func `overtones above half the rate do not alias`() throws {
    set([(.drive, 12)])
    let hertz = 48_000.0 / 16_384 * 2389
    let samples = try heard(SignalUnit.tone(hertz, amplitude: 0.7))
    let spectrum = Spectrum(Array(samples.prefix(16_384)), hertz: 48_000)
    let base = spectrum.peak(in: hertz - 20..<hertz + 20)
    let below = spectrum.peak(in: 20..<hertz - 100)
    let above = spectrum.peak(in: hertz + 100..<0.4 * 48_000)
    #expect(decibels(max(below, above) / base) < -70, "\(decibels(max(below, above) / base)) dB")
  }

  @Test func `without mix the sound passes, equally late`() throws {
    set([(.mix, 0)])
    let tone = SignalUnit.tone(1000)
    let listener = try PlanListener(tone, through: unit)
    let passed = listener.render(quanta: 10)[0]
    #expect(Array(passed[32...]) == (0..<608).map { SignalUnit.value(tone.signal, $0) })
    #expect(passed[..<32].allSatisfy { $0 == 0 })
  }

  @Test func `the band up to 0.4 of the rate goes through both filters unchanged`() throws {
    set([(.drive, 20)])
    for hertz in [100, 10_000, 19_000] as [Double] {
      let heard = try heard(SignalUnit.tone(hertz, amplitude: 0.0001))
      let level = Tone(heard.prefix(9600), hertz: hertz, rate: 48_000).amplitude
      #expect(abs(decibels(level / 0.001)) < 0.05, "\(hertz) Hz: \(decibels(level / 0.001)) dB")
    }
  }
}
