// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Tap delays, cross delays, flangers and pitch shifters.
@Suite struct EchoUnitTests {
  /// The frames that are not silent, with their samples.
  private func echoes(_ samples: [Float]) -> [Int: Float] {
    Dictionary(
      uniqueKeysWithValues: samples.indices.filter { abs(samples[$0]) > 0.01 }.map {
        ($0, samples[$0])
      })
  }

  private func isClose(_ heard: [Int: Float], _ wanted: [Int: Float]) -> Bool {
    heard.keys.sorted() == wanted.keys.sorted()
      && wanted.allSatisfy { abs((heard[$0.key] ?? 0) - $0.value) < 0.002 }
  }

  @Test func `a cross delay has a time for each side`() throws {
    let unit = CrossDelayUnit(rate: Rate.studio)
    unit.parameters.hold([
      "left": 0.01, "right": 0.02, "feedback": 0.5, "mix": 1, "right level": -1,
    ])
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 30)
    #expect(isClose(echoes(heard[0]), [480: 1, 960: 0.5, 1440: 0.25]))
    #expect(isClose(echoes(heard[1]), [960: -1]))
  }

  @Test func `crossed feedback returns on the other side`() throws {
    let unit = CrossDelayUnit(rate: Rate.studio)
    unit.parameters.hold(["left": 0.01, "right": 0.02, "feedback": 0.5, "cross": 1, "mix": 1])
    let heard = try PlanListener(ImpulseUnit(channel: 0), through: unit).render(quanta: 50)
    #expect(isClose(echoes(heard[0]), [480: 1, 1920: 0.25]))
    #expect(isClose(echoes(heard[1]), [1440: 0.5, 2880: 0.125]))
  }

  @Test func `taps sound on their frames, at their levels and pans`() throws {
    let unit = TapDelayUnit(rate: Rate.studio)
    unit.parameters.hold([
      "tap 1 time": 0.02, "tap 1 level": 0.5, "tap 2 time": 0.01, "tap 2 level": 1,
      "tap 2 pan": -1, "tap 3 time": 0.03, "tap 3 level": 0.25, "tap 3 pan": 0.5,
      "feedback": 0, "mix": 1,
    ])
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 30)
    #expect(isClose(echoes(heard[0]), [480: 1, 960: 0.5, 1440: 0.125]))
    #expect(isClose(echoes(heard[1]), [960: 0.5, 1440: 0.25]))
  }

  @Test func `the first tap feeds the line again`() throws {
    let unit = TapDelayUnit(rate: Rate.studio)
    unit.parameters.hold(["tap 1 time": 0.01, "feedback": -0.5, "mix": 1])
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 30)
    #expect(isClose(echoes(heard[0]), [480: 1, 960: -0.5, 1440: 0.25]))
  }

  @Test func `a low-pass before the line filters the input`() throws {
    let unit = TapDelayUnit(rate: Rate.studio)
    unit.parameters.hold(["tap 1 time": 0.01, "feedback": 0, "mix": 1, "low pass": 1000])
    let heard = try PlanListener(SignalUnit.tone(4000), through: unit).render(quanta: 200)[0]
    // A pole at e^(−2π/48): 12.1 dB down at four times the frequency.
    let level = Tone(heard.suffix(9600), hertz: 4000, rate: 48_000).amplitude / 0.5
    #expect(abs(decibels(level) + 12.1) < 0.3, "\(decibels(level)) dB")
  }

  @Test func `a flanger's comb has its notches between the multiples of its delay`() throws {
    let unit = FlangerUnit(rate: Rate.studio)
    unit.parameters.hold(["depth": 0, "delay": 0.001, "feedback": 0, "mix": 0.5])
    for (hertz, level) in [(1000.0, 0.0), (500.0, -60.0)] {
      let heard = try PlanListener(SignalUnit.tone(hertz), through: unit).render(quanta: 200)[0]
      let amplitude = Tone(heard.suffix(9600), hertz: hertz, rate: 48_000).amplitude / 0.5
      let found = decibels(amplitude)
      #expect(level == 0 ? abs(found) < 0.1 : found < level, "\(hertz) Hz: \(found) dB")
    }
  }

  @Test func `a flanger in steps is constant between them`() throws {
    let unit = FlangerUnit(rate: Rate.studio)
    unit.parameters.hold([
      "rate": 1, "depth": 0.003, "delay": 0.005, "feedback": 0, "mix": 1, "step rate": 4,
    ])
    let heard = try PlanListener(SignalUnit.tone(1000), through: unit).render(quanta: 750)[0]
    // Within the second half of each quarter second, the voice is the tone itself.
    for step in 1..<4 {
      let part = Array(heard[(step * 12_000 + 6000)..<(step * 12_000 + 11_500)])
      let amplitude = Tone(part.prefix(4800), hertz: 1000, rate: 48_000).amplitude
      #expect(abs(amplitude - 0.5) < 0.005)
    }
  }

  @Test func `a pitch shifter moves a tone by its semitones`() throws {
    for (semitones, hertz) in [(12, 880.0), (-12, 220.0), (7, 659.26)] as [(Float, Double)] {
      let unit = PitchShiftUnit(rate: Rate.studio)
      unit.parameters.hold(["first pitch": semitones, "mix": 1])
      let heard = try PlanListener(SignalUnit.tone(440), through: unit).render(quanta: 1100)[0]
      let spectrum = Spectrum(Array(heard.suffix(65_536)), hertz: 48_000)
      let top = spectrum.amplitudes.indices.max {
        spectrum.amplitudes[$0] < spectrum.amplitudes[$1]
      }
      // The fades of a window of 60 ms cause sidebands 16.7 Hz apart.
      #expect(abs(Double(top ?? 0) * spectrum.resolution - hertz) < 17, "\(semitones)")
    }
  }
}
