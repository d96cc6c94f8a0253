// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct VarispeedUnitTests {
  /// A varispeed unit that plays a tone.
  private func rig(
    _ source: SignalUnit, speed: Float
  ) throws -> (unit: VarispeedUnit, listener: PlanListener) {
    var graph = AudioGraph()
    try graph.setHead(graph.add(source))
    let unit = try VarispeedUnit(graph, rate: Rate.studio)
    try unit.parameters.set(0, to: speed, over: 0)
    return (unit, try PlanListener(unit))
  }

  @Test func `at speed 1 the sound passes bit for bit, without delay`() throws {
    let (unit, listener) = try rig(SignalUnit(.count), speed: 1)
    let heard = listener.render(quanta: 100)[0]
    #expect(heard == (0..<6400).map { Float($0) / 1_000_000 })
    #expect(unit.innerPosition.frames >= 6400)
    #expect(unit.innerPosition.frames <= 6400 + 448)
  }

  @Test(arguments: [0.25, 0.5, 0.7, 0.999, 1.26, 2, 3.9] as [Float])
  func `a tone keeps its level, rises with the speed, and stays pure`(speed: Float) throws {
    let (_, listener) = try rig(SignalUnit.tone(1000), speed: speed)
    listener.render(quanta: 20)
    let heard = listener.render(quanta: 256)[0]
    let hertz = 1000 * Double(speed)
    let tone = Tone(heard.prefix(12_000), hertz: hertz, rate: 48_000)
    #expect(abs(decibels(tone.amplitude / 0.5)) < 0.05)
    let spectrum = Spectrum(heard, hertz: 48_000)
    let rest = max(spectrum.rms(in: 0..<hertz - 30), spectrum.rms(in: hertz + 30..<24_000))
    #expect(decibels(rest / 0.3536) < -85, "\(decibels(rest / 0.3536)) dB")
  }

  @Test func `frequencies that would alias are removed`() throws {
    // 15 kHz at speed 2 would alias to 18 kHz.
    let (_, listener) = try rig(SignalUnit.tone(15_000), speed: 2)
    listener.render(quanta: 20)
    let spectrum = Spectrum(listener.render(quanta: 256)[0], hertz: 48_000)
    #expect(decibels(spectrum.rms(in: 100..<24_000)) < -95)
    let (_, high) = try rig(SignalUnit.tone(10_000), speed: 2)
    high.render(quanta: 20)
    let kept = Spectrum(high.render(quanta: 256)[0], hertz: 48_000)
    #expect(abs(decibels(kept.rms(in: 19_900..<20_100) / 0.3536)) < 0.1)
  }

  @Test func `a moving speed does not click, and returns to whole frames`() throws {
    let (unit, listener) = try rig(SignalUnit.tone(220), speed: 1)
    #expect(unit.parameters.schedule(0, to: 1.5, at: 1000, over: 9600))
    #expect(unit.parameters.schedule(0, to: 0.75, at: 20_000, over: 4800))
    let spectrum = Spectrum(listener.render(quanta: 512)[0], hertz: 48_000)
    #expect(decibels(spectrum.rms(in: 8000..<24_000)) < -85)
  }
}
