// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct EqualizerUnitTests {
  typealias Kind = EqualizerUnit.Kind

  /// The response of the analogue prototype of a band, at s = i · w.
  ///
  /// Source: R. Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients.
  private static func response(
    _ kind: Kind, _ w: Double, decibels gain: Double, quality: Double
  ) -> Double {
    let a = pow(10, gain / 40)
    let square = w * w
    // Numerator and denominator as real and imaginary parts.
    let parts: (Double, Double, Double, Double) =
      switch kind {
      case .peaking: (1 - square, w * a / quality, 1 - square, w / (a * quality))
      case .lowShelf:
        (a * (a - square), a * w * sqrt(a) / quality, 1 - a * square, w * sqrt(a) / quality)
      case .highShelf:
        (a * (1 - a * square), a * w * sqrt(a) / quality, a - square, w * sqrt(a) / quality)
      case .lowPass: (1, 0, 1 - square, w / quality)
      case .highPass: (-square, 0, 1 - square, w / quality)
      case .notch: (1 - square, 0, 1 - square, w / quality)
      case .bandPass: (0, w / quality, 1 - square, w / quality)
      }
    return hypot(parts.0, parts.1) / hypot(parts.2, parts.3)
  }

  /// The digital filter has the analogue one's response at tan(πf / rate) / tan(πf₀ / rate).
  @Test(arguments: Kind.allCases, [(100, -12, 0.7071), (1000, 6, 2), (8000, 18, 0.5)])
  func `the response is the formula's`(kind: Kind, band: (Double, Double, Double)) throws {
    let equalizer = EqualizerUnit(bands: [kind], rate: Rate.studio)
    equalizer[0, .frequency] = Float(band.0)
    equalizer[0, .gain] = Float(band.1)
    equalizer[0, .quality] = Float(band.2)
    let source = SignalUnit(.constant(0))
    let listener = try PlanListener(source, through: equalizer)
    listener.render(quanta: 20)
    for hertz in [50, 100, 400, 1000, 2500, 8000, 16_000] as [Double] {
      source.signal = .sine(radians: 2 * .pi * hertz / 48_000, amplitude: 0.05)
      let heard = listener.render(quanta: 300)[0].suffix(9600)
      let w = tan(.pi * hertz / 48_000) / tan(.pi * band.0 / 48_000)
      let expected = 0.05 * Self.response(kind, w, decibels: band.1, quality: band.2)
      let amplitude = Tone(heard, hertz: hertz, rate: 48_000).amplitude
      if expected < 1e-5 {
        #expect(amplitude < 2e-5)
      } else {
        #expect(abs(decibels(amplitude / expected)) < 0.02, "\(hertz) Hz")
      }
    }
  }

  @Test func `A band can be lowered to the lowest gain of the equaliser`() throws {
    let equalizer = EqualizerUnit(bands: [.peaking], leastGain: -96, rate: Rate.studio)
    equalizer[0, .gain] = -100
    #expect(equalizer[0, .gain] == -96)
    let listener = try PlanListener(SignalUnit.tone(1000), through: equalizer)
    listener.render(quanta: 1500)
    let tone = Tone(listener.render(quanta: 300)[0], hertz: 1000, rate: 48_000)
    #expect(abs(decibels(tone.amplitude / 0.5) + 96) < 0.5)
  }

  @Test func `a band that sweeps puts no clicks into a tone`() throws {
    let equalizer = EqualizerUnit(bands: [.peaking, .highShelf], rate: Rate.studio)
    let listener = try PlanListener(SignalUnit.tone(220, amplitude: 0.25), through: equalizer)
    listener.render(quanta: 10)
    let parameters = equalizer.parameters
    #expect(parameters.schedule(1, to: 12, at: 1000, over: 9600))
    #expect(parameters.schedule(0, to: 200, at: 1000, over: 9600))
    #expect(parameters.schedule(4, to: -12, at: 1000, over: 9600))
    let spectrum = Spectrum(listener.render(quanta: 256)[0], hertz: 48_000)
    #expect(decibels(spectrum.rms(in: 8000..<24_000)) < -80)
  }
}
