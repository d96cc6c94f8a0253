// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct ChorusUnitTests {
  private func chorus(
    voices: Int = 1, _ values: [(ChorusUnit.Setting, Float)]
  ) -> ChorusUnit {
    let unit = ChorusUnit(voiceCount: voices, rate: Rate.studio)
    for (setting, value) in values { unit.parameters.hold(setting, to: value) }
    return unit
  }

  @Test func `a voice at rest is an echo on its frame`() throws {
    let unit = chorus([(.depth, 0), (.delay, 0.01), (.mix, 1)])
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 20)[0]
    #expect(abs(heard[480] - 1) < 1e-3)
    #expect(heard.indices.allSatisfy { abs($0 - 480) < 3 || heard[$0] == 0 })
  }

  @Test func `a voice alternates between higher and lower pitch, by depth times rate`() throws {
    let unit = chorus([(.rate, 1), (.depth, 0.002), (.delay, 0.01), (.mix, 1)])
    let heard = try PlanListener(SignalUnit.tone(1000), through: unit).render(quanta: 900)[0]
    let lengths = periods(Array(heard[4800...]))
    // 2π · 1 Hz · 2 ms: 1.26 % to either side.
    let (short, long) = (lengths.min() ?? 0, lengths.max() ?? 0)
    #expect(abs(short / 48 - (1 - 0.01241)) < 0.0005, "\(short)")
    #expect(abs(long / 48 - (1 + 0.01273)) < 0.0005, "\(long)")
  }

  /// The number of frames from each rise through zero to the next.
  private func periods(_ samples: [Float]) -> [Double] {
    let rises = samples.indices.dropLast().filter { samples[$0] < 0 && samples[$0 + 1] >= 0 }
      .map { Double($0) + Double(samples[$0] / (samples[$0] - samples[$0 + 1])) }
    return zip(rises, rises.dropFirst()).map { $1 - $0 }
  }

  @Test func `the spread sets how far left and right differ`() throws {
    for (spread, isSame) in [(0, true), (1, false)] as [(Float, Bool)] {
      let unit = chorus(voices: 2, [(.spread, spread), (.mix, 1)])
      let heard = try PlanListener(SignalUnit.tone(400), through: unit).render(quanta: 300)
      #expect((heard[0] == heard[1]) == isSame)
    }
  }

  @Test func `voices together are as loud as the sound`() throws {
    let noise = GeneratorUnit(.whiteNoise, rate: Rate.studio)
    let unit = ChorusUnit(channelCount: 1, voiceCount: 4, rate: Rate.studio)
    unit.parameters.hold(ChorusUnit.Setting.mix, to: 1)
    unit.parameters.hold(ChorusUnit.Setting.depth, to: 0.004)
    let heard = try PlanListener(noise, through: unit).render(quanta: 1500)[0]
    let level = decibels(Double(Array(heard[4800...]).rms)) - decibels(0.5 / 3.0.squareRoot())
    // The cubic interpolation weakens the highest frequencies a little.
    #expect(abs(level + 0.7) < 0.7, "\(level) dB")
  }

  @Test func `without mix the sound passes, and silence stays silent`() throws {
    let tone = SignalUnit.tone(1000)
    let passed = try PlanListener(tone, through: chorus([(.mix, 0)])).render(quanta: 20)[0]
    #expect(passed == (0..<1280).map { SignalUnit.value(tone.signal, $0) })
    let silent = try PlanListener(SignalUnit(.constant(0)), through: chorus([(.feedback, 0.9)]))
    #expect(silent.render(quanta: 100)[1].allSatisfy { $0 == 0 })
  }

  @Test func `feedback dies away within the tail`() throws {
    let unit = chorus(voices: 3, [(.feedback, -0.9), (.depth, 0), (.delay, 0.002), (.mix, 1)])
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 400)[0]
    #expect(heard[unit.tail...].allSatisfy { abs($0) < 2e-5 })
    #expect(heard[..<(unit.tail / 2)].contains { abs($0) > 1e-3 })
  }
}
