// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct DelayUnitTests {
  private let delay = DelayUnit(rate: Rate.studio)

  /// Frames that are not silent, with their samples.
  private func echoes(_ samples: [Float]) -> [Int: Float] {
    let sounding = samples.enumerated().filter { $0.element != 0 }
    return Dictionary(uniqueKeysWithValues: sounding.map { ($0.offset, $0.element) })
  }

  private func set(_ values: [(DelayUnit.Setting, Float)]) {
    for (setting, value) in values { delay.parameters.hold(setting, to: value) }
  }

  @Test(arguments: [(0.001, 48), (0.0123, 590), (0.25, 12_000)] as [(Float, Int)])
  func `each echo is on its frame, and is quieter by the feedback`(
    seconds: Float, frames: Int
  ) throws {
    set([(.time, seconds), (.feedback, 0.5), (.mix, 1)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 600)
    let expected = (1...).prefix { $0 * frames < 600 * 64 && $0 < 100 }.map {
      ($0 * frames, Float(pow(0.5, Double($0 - 1))))
    }
    for (frame, value) in expected { #expect(heard[0][frame] == value) }
    #expect(heard[0] == heard[1])
    if frames > 500 { #expect(echoes(heard[0]).count == expected.count) }
  }

  @Test func `Feedback below 0 inverts every second echo`() throws {
    set([(.time, 0.01), (.feedback, -0.5), (.mix, 1)])
    let found = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 30)[0]
    #expect(echoes(found) == [480: 1, 960: -0.5, 1440: 0.25])
    set([(.time, 0.05)])
    #expect(delay.tail == 17 * 2400 + 1024)
  }

  @Test func `the mix interpolates linearly between the input and the echoes`() throws {
    set([(.time, 0.01), (.feedback, 0), (.mix, 0.25)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 20)[0]
    #expect(echoes(heard) == [0: 0.75, 480: 0.25])
  }

  @Test func `with ping-pong the echoes alternate between the sides`() throws {
    set([(.time, 0.01), (.feedback, 0.5), (.mix, 1), (.pingPong, 1)])
    let heard = try PlanListener(ImpulseUnit(channel: 1), through: delay).render(quanta: 30)
    #expect(echoes(heard[0]) == [480: 0.5, 1440: 0.125])
    #expect(echoes(heard[1]) == [960: 0.25])
  }

  @Test func `damping is a one-pole filter, applied once more to each echo`() throws {
    set([(.time, 0.02), (.feedback, 0.9), (.mix, 1), (.damping, 1000)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 60)[0]
    #expect(heard[960] == 1)
    // The second echo is the filter's response: a falling exponential from its share of 0.9.
    let share = 1 - exp(-2 * Double.pi * 1000 / 48_000)
    for frame in 0..<100 {
      let expected = 0.9 * share * pow(1 - share, Double(frame))
      #expect(abs(Double(heard[1920 + frame]) - expected) < 1e-6)
    }
  }

  @Test func `a change of time crossfades without a click or a glide`() throws {
    set([(.time, 0.1), (.feedback, 0), (.mix, 1)])
    let listener = try PlanListener(SignalUnit.tone(100, amplitude: 0.5), through: delay)
    listener.render(quanta: 200)
    delay[.time] = 0.137
    let heard = listener.render(quanta: 100)[0]
    // The steepest slope of either echo: 2π · 100 / 48 000 · 0.5, and the fade's own.
    let steepest = zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(steepest < 0.0066 + 1.0 / 1024)
    let first: Int64 = 200 * 64
    for frame in 1100..<6400 {
      let sent = SignalUnit.value(
        .sine(radians: 2 * .pi * 100 / 48_000, amplitude: 0.5), first + Int64(frame) - 6576)
      #expect(heard[frame] == sent)
    }
  }

  @Test func `a time in quarter notes follows the tempo`() throws {
    let tempo = try Tempo(beatsPerMinute: 120)
    delay.setTime(quarterNotes: 0.75, at: tempo)
    #expect(delay[.time] == 0.375)
    delay.setTime(quarterNotes: 40, at: tempo)
    #expect(delay[.time] == 2)
  }

  @Test func `the tail ends when the echoes are 100 dB down`() throws {
    set([(.time, 0.05), (.feedback, 0.5), (.mix, 1)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 1000)[0]
    #expect(heard[delay.tail...].allSatisfy { $0 <= 1e-5 })
    #expect(heard[(delay.tail - 2400 - 1024)...].contains { $0 > 0.99e-5 })
    set([(.feedback, 0)])
    #expect(delay.tail == 2400 + 1024)
    set([(.time, 2), (.feedback, 0.98)])
    #expect(delay.tail == 60 * 48_000 + 1024)
  }

  @Test func `silence stays silent, and echoes die without denormal numbers`() throws {
    set([(.time, 0.001), (.feedback, 0.3), (.mix, 1), (.damping, 5000)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 300)[0]
    #expect(heard.allSatisfy { $0 == 0 || $0.isNormal } && heard.suffix(64).allSatisfy { $0 == 0 })
    let silent = try PlanListener(SignalUnit(.constant(0)), through: DelayUnit(rate: Rate.studio))
    #expect(silent.render(quanta: 500)[0].allSatisfy { $0 == 0 })
  }

  @Test func `echoes can rotate through six channels`() throws {
    let delay = DelayUnit(channelCount: 6, rate: Rate.studio)
    for (setting, value) in [(.time, 0.01), (.feedback, 0.5), (.mix, 1), (.pingPong, 1)]
      as [(DelayUnit.Setting, Float)]
    {
      delay.parameters.hold(setting, to: value)
    }
    let listener = try PlanListener(ImpulseUnit(channelCount: 6), through: delay)
    let heard = listener.render(quanta: 60)
    for (channel, samples) in heard.enumerated() {
      let first = echoes(samples).keys.min()
      #expect(first == 480 * (channel + 1))
      #expect(samples[480 * (channel + 1)] == Float(pow(0.5, Double(channel))))
    }
  }

  @Test func `the low cut is a one-pole filter, applied once more to each echo`() throws {
    set([(.time, 0.02), (.feedback, 0.9), (.mix, 1), (.lowCut, 200)])
    let heard = try PlanListener(ImpulseUnit(), through: delay).render(quanta: 60)[0]
    #expect(heard[960] == 1)
    // The second echo is an impulse less the response of the low-pass filter.
    let share = 1 - exp(-2 * Double.pi * 200 / 48_000)
    for frame in 0..<100 {
      let low = share * pow(1 - share, Double(frame))
      let expected = 0.9 * ((frame == 0 ? 1 : 0) - low)
      #expect(abs(Double(heard[1920 + frame]) - expected) < 1e-6)
    }
  }
}
