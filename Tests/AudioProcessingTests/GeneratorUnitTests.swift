// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct GeneratorUnitTests {
  @Test(arguments: [20, 440, 1000, 15_000, 23_000] as [Double])
  func `a sine is pure and begins at zero`(hertz: Double) throws {
    let generator = GeneratorUnit(.sine, rate: Rate.studio)
    try generator.parameters.set(0, to: Float(hertz), over: 0)
    let heard = try PlanListener(generator).render(quanta: 512)[0]
    #expect(heard[0] == 0)
    let tone = Tone(heard.prefix(24_000), hertz: hertz, rate: 48_000)
    #expect(abs(tone.amplitude - 0.5) < 1e-4)
    let spectrum = Spectrum(heard, hertz: 48_000)
    let rest = max(
      spectrum.rms(in: 0..<hertz - 15), spectrum.rms(in: hertz + 15..<max(24_000, hertz + 16)))
    #expect(decibels(rest / 0.3536) < -88)
  }

  @Test func `white noise is flat, pink noise falls 3 dB an octave, and a seed gives the same`()
    throws
  {
    func bands(_ signal: GeneratorUnit.Signal) throws -> [Double] {
      let heard = try PlanListener(GeneratorUnit(signal, rate: Rate.studio)).render(quanta: 4096)[0]
      #expect(heard.allSatisfy { $0.magnitude <= 1 })
      let spectrum = Spectrum(heard, hertz: 48_000)
      return stride(from: 7.0, to: 14.0, by: 1).map { octave in
        decibels(spectrum.rms(in: pow(2, octave)..<pow(2, octave + 1)))
      }
    }
    let white = try bands(.whiteNoise)
    let pink = try bands(.pinkNoise)
    // Twice the frequencies have 3 dB more of the white, and as much of the pink.
    for (low, high) in zip(white, white.dropFirst()) { #expect(abs(high - low - 3.01) < 1.2) }
    for (low, high) in zip(pink, pink.dropFirst()) { #expect(abs(high - low) < 1.2) }
    #expect(abs((white[6] - white[0]) - 18.06) < 1)
    #expect(abs(pink[6] - pink[0]) < 1.5)
    #expect(try bands(.whiteNoise) == white)
  }

  @Test func `clicks are at their exact places, also between frames, and do not alias`()
    throws
  {
    let generator = GeneratorUnit(.clicks, rate: Rate.studio)
    try generator.parameters.set(0, to: 100, over: 0)
    try generator.parameters.set(1, to: 1, over: 0)
    let whole = try PlanListener(generator).render(quanta: 64)[0]
    for frame in stride(from: 32, to: 4000, by: 480) {
      #expect(abs(whole[frame] - 1) < 1e-4)
      #expect(abs(whole[frame + 5]) < 1e-4)
    }
    let odd = GeneratorUnit(.clicks, rate: Rate.studio)
    try odd.parameters.set(0, to: 733.3, over: 0)
    let heard = try PlanListener(odd).render(quanta: 1024)[0]
    let spectrum = Spectrum(Array(heard.dropFirst(200)), hertz: 48_000)
    // All harmonics have the amplitude set by the click rate; the spectrum between them is empty.
    for harmonic in [1, 5, 20] as [Double] {
      let place = 733.3 * harmonic
      let amplitude = spectrum.peak(in: place - 5..<place + 5)
      #expect(abs(decibels(amplitude / (733.3 / 48_000))) < 0.7)
      #expect(decibels(spectrum.peak(in: place + 100..<place + 600) / amplitude) < -80)
    }
  }

  @Test func `a metronome clicks at the frame of its event, louder and higher on the accent`()
    throws
  {
    let metronome = MetronomeUnit(rate: Rate.studio)
    let notes: [(Int64, UInt8, UInt8)] = [(100, 34, 127), (24_100, 33, 64), (48_777, 33, 64)]
    let events = notes.map { frame, key, velocity in
      TimedEvent(
        time: Rate.studio.timeRoundedUp(of: SampleTime(frames: frame)),
        payload: .message(.noteOn(Channel(index: 9), Key(key), velocity: velocity)))
    }
    let none: [UInt8] = []
    #expect(metronome.send(events.span, payloads: none.span) == 3)
    metronome.cancel(from: Rate.studio.timeRoundedUp(of: SampleTime(frames: 48_000)))
    let heard = try PlanListener(metronome).render(quanta: 1000)[0]
    // A sine begins at zero, so the first frame that is not zero is the next.
    #expect(heard.firstIndex { $0 != 0 } == 101)
    #expect(heard[5000..<24_101].allSatisfy { $0 == 0 })
    #expect(heard[24_101] != 0)
    #expect(heard[30_000...].allSatisfy { $0 == 0 })
    let accent = heard[100..<700].map(\.magnitude).max() ?? 0
    let plain = heard[24_100..<24_700].map(\.magnitude).max() ?? 0
    #expect(abs(decibels(Double(accent / plain)) - 6) < 0.5)
    #expect(Array(heard[100..<580]).risingZeroCrossings == 12)
    #expect(Array(heard[24_100..<24_580]).risingZeroCrossings == 9)
    #expect(metronome.lateClickCount == 0)
  }
}
