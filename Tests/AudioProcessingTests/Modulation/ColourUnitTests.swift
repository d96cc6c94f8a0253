// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Overdrives, distortions, enhancers and lo-fis.
@Suite struct ColourUnitTests {
  /// The centre of a bin, so that its overtones are at bin centres, too.
  private func middle(_ bin: Int) -> Double { 48_000.0 / 16_384 * Double(bin) }

  private func spectrum(_ hertz: Double, _ amplitude: Float, _ unit: any ProcessingUnit) throws
    -> Spectrum
  {
    let tone = SignalUnit.tone(hertz, amplitude: amplitude)
    let heard = try PlanListener(tone, through: unit).render(quanta: 600)[0]
    return Spectrum(Array(heard.suffix(16_384)), hertz: 48_000)
  }

  private func overtone(_ number: Double, of hertz: Double, _ spectrum: Spectrum) -> Double {
    let base = spectrum.peak(in: hertz - 20..<hertz + 20)
    return decibels(spectrum.peak(in: hertz * number - 20..<hertz * number + 20) / base)
  }

  @Test func `an overdrive adds even overtones, a distortion odd ones only`() throws {
    let hertz = middle(171)
    for kind in DriveUnit.Kind.allCases {
      let unit = DriveUnit(kind, rate: Rate.studio)
      unit.parameters.hold(["drive": 18, "tone": 20_000])
      let heard = try spectrum(hertz, 0.5, unit)
      #expect(overtone(3, of: hertz, heard) > -25)
      let second = overtone(2, of: hertz, heard)
      #expect(kind == .overdrive ? second > -40 : second < -80, "\(kind): \(second) dB")
    }
  }

  @Test func `distortion products do not alias`() throws {
    let hertz = middle(2389)
    for kind in DriveUnit.Kind.allCases {
      let unit = DriveUnit(kind, rate: Rate.studio)
      unit.parameters.hold(["drive": 12, "tone": 20_000])
      let heard = try spectrum(hertz, 0.7, unit)
      let base = heard.peak(in: hertz - 20..<hertz + 20)
      #expect(decibels(heard.peak(in: 20..<hertz - 100) / base) < -60)
    }
  }

  @Test func `the drive raises quiet sound, relative to the result at full scale`() throws {
    let unit = DriveUnit(.distortion, rate: Rate.studio)
    unit.parameters.hold(["drive": 20, "tone": 20_000, "output": 0])
    let heard = try spectrum(middle(341), 0.0001, unit)
    let level = decibels(heard.peak(in: 900..<1100) / 0.0001)
    #expect(abs(level - 20) < 0.1, "\(level) dB")
  }

  @Test func `an enhancer adds the octave of high sound, and keeps low sound`() throws {
    let unit = EnhancerUnit(rate: Rate.studio)
    unit.parameters.hold(["frequency": 3000, "drive": 12, "mix": 1])
    let (low, high) = (middle(34), middle(1365))
    #expect(overtone(2, of: high, try spectrum(high, 0.2, unit)) > -20)
    #expect(overtone(2, of: low, try spectrum(low, 0.2, unit)) < -70)
    let passed = try spectrum(low, 0.2, unit).peak(in: low - 20..<low + 20)
    #expect(abs(decibels(passed / 0.2)) < 0.1)
  }

  @Test func `a lo-fi mirrors the spectrum at half its rate`() throws {
    let unit = LoFiUnit(rate: Rate.studio)
    unit.parameters.hold(["rate": 12_000, "bits": 24, "tone": 20_000])
    let hertz = middle(341)
    let heard = try spectrum(hertz, 0.5, unit)
    // Samples held for four frames: sin x / x, so 11 kHz has 1/11 of the level of 1 kHz.
    let image = decibels(
      heard.peak(in: 12_000 - hertz - 20..<12_000 - hertz + 20)
        / heard.peak(in: hertz - 20..<hertz + 20))
    #expect(abs(image + 20) < 2, "\(image) dB")
  }

  @Test func `two bits are four steps`() throws {
    let unit = LoFiUnit(rate: Rate.studio)
    unit.parameters.hold(["rate": 48_000, "bits": 2, "tone": 20_000])
    let heard = try PlanListener(SignalUnit(.constant(0.3)), through: unit).render(quanta: 30)[0]
    #expect(abs((heard.last ?? 0) - 0.5) < 1e-4)
  }
}
