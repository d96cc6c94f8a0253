// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct CompressorUnitTests {
  private let compressor = CompressorUnit(rate: Rate.studio)

  private func set(_ values: [(CompressorUnit.Setting, Float)]) {
    for (setting, value) in values { compressor.parameters.hold(setting, to: value) }
  }

  private func level(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  /// The static curve, formula 4 of the paper.
  private func output(_ input: Double, _ threshold: Double, _ ratio: Double, _ knee: Double)
    -> Double
  {
    let above = input - threshold
    if 2 * above < -knee { return input }
    if 2 * abs(above) <= knee {
      return input + (1 / ratio - 1) * pow(above + knee / 2, 2) / (2 * knee)
    }
    return threshold + above / ratio
  }

  @Test(
    arguments: [(-20, 4, 0), (-20, 4, 12), (-30, 2, 20), (-6, 100, 6)]
      as [(Double, Double, Double)])
  func `the static curve is that of the formula`(
    threshold: Double, ratio: Double, knee: Double
  ) throws {
    set([
      (.threshold, Float(threshold)), (.ratio, Float(ratio)), (.knee, Float(knee)),
      (.attack, 0), (.release, 0.001),
    ])
    let source = SignalUnit(.constant(0))
    let listener = try PlanListener(source, through: compressor)
    for input in stride(from: -60.0, through: 6, by: 1.5) {
      source.signal = .constant(level(input))
      let heard = listener.render(quanta: 20)[0]
      let result = decibels(Double(heard[1279]))
      #expect(abs(result - output(input, threshold, ratio, knee)) < 0.002, "\(input) dB")
    }
  }

  @Test func `attack and release are the times for 63 % of the change`() throws {
    set([(.threshold, -20), (.ratio, 2), (.knee, 0), (.attack, 0.01), (.release, 0.05)])
    let source = SignalUnit(.constant(level(-60)))
    let listener = try PlanListener(source, through: compressor)
    listener.render(quanta: 10)
    source.signal = .constant(1)
    // The full gain reduction is 10 dB; k frames after the step, 1 − e^(−k/τ) of it is applied.
    let falling = listener.render(quanta: 200)[0]
    for frame in [0, 100, 479, 959, 2000] {
      let expected = -10 * (1 - exp(-Double(frame + 1) / 480))
      #expect(abs(decibels(Double(falling[frame])) - expected) < 0.001)
    }
    source.signal = .constant(level(-60))
    let rising = listener.render(quanta: 300)[0]
    for frame in [0, 1000, 2399, 9599] {
      let expected = -60 - 10 * exp(-Double(frame + 1) / 2400)
      #expect(abs(decibels(Double(rising[frame])) - expected) < 0.001)
    }
  }

  @Test func `sound below the knee passes bit for bit, also after a peak`() throws {
    let source = SignalUnit.tone(1000, amplitude: level(-25))
    let listener = try PlanListener(source, through: compressor)
    #expect(
      listener.render(quanta: 20)[0] == (0..<1280).map { SignalUnit.value(source.signal, $0) })
    let quiet = source.signal
    source.signal = .constant(1)
    listener.render(quanta: 10)
    #expect(compressor.reduction > 5)
    source.signal = quiet
    listener.render(quanta: 1200)
    let first = listener.frame
    let again = listener.render(quanta: 10)[0]
    #expect(again == (0..<640).map { SignalUnit.value(quiet, first + $0) })
    #expect(compressor.reduction == 0)
  }

  @Test func `makeup raises the level of everything`() throws {
    set([(.makeup, 6)])
    let heard = try PlanListener(SignalUnit(.constant(0.01)), through: compressor)
      .render(quanta: 2)[0]
    #expect(heard.allSatisfy { abs(decibels(Double($0)) + 34) < 0.001 })
  }

  @Test func `the look-ahead set at creation is the latency`() throws {
    let unit = CompressorUnit(lookAhead: 200, rate: Rate.studio)
    for (setting, value) in [(.attack, 0), (.knee, 0), (.threshold, -20), (.ratio, 100)]
      as [(CompressorUnit.Setting, Float)]
    {
      unit.parameters.hold(setting, to: value)
    }
    let source = SignalUnit(.constant(0.05))
    let listener = try PlanListener(source, through: unit)
    #expect(listener.plan.latency == 200)
    listener.render(quanta: 10)
    source.signal = .constant(1)
    let heard = listener.render(quanta: 10)[0]
    // The gain falls 200 frames before the step arrives, so the step is quiet from its first frame.
    #expect(heard[0] < 0.01 && abs(decibels(Double(heard[199] / 0.05)) + 19.8) < 0.01)
    #expect(abs(decibels(Double(heard[200])) + 19.8) < 0.01)
  }

  @Test func `all linked channels get the same gain, and silence stays silent`() throws {
    let listener = try PlanListener(ImpulseUnit(channel: 1), through: compressor)
    #expect(listener.render(quanta: 50)[0].allSatisfy { $0 == 0 })
    let silent = try PlanListener(
      SignalUnit(.constant(0)), through: CompressorUnit(rate: Rate.studio))
    #expect(silent.render(quanta: 50)[1].allSatisfy { $0 == 0 })
  }

  @Test func `each channel that is not linked gets its own gain`() throws {
    set([(.link, 0), (.attack, 0), (.release, 0.02), (.knee, 0), (.threshold, -20), (.ratio, 2)])
    let merger = MergerUnit(channelCounts: [1, 1])
    let loud = GeneratorUnit(.sine, rate: Rate.studio)
    let quiet = GeneratorUnit(.sine, rate: Rate.studio)
    loud[.level] = 1
    quiet[.level] = 0.05
    var graph = AudioGraph()
    let both = graph.add(merger)
    let head = graph.add(compressor)
    try graph.connect(graph.add(loud), to: both, input: 0)
    try graph.connect(graph.add(quiet), to: both, input: 1)
    try graph.connect(both, to: head)
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    listener.render(quanta: 200)
    let apart = listener.render(quanta: 100)
    #expect(abs(apart[1].peak - 0.05) < 1e-4 && apart[0].peak < 0.45)
    set([(.link, 0.5)])
    listener.render(quanta: 200)
    let half = listener.render(quanta: 100)[1].peak
    set([(.link, 1)])
    listener.render(quanta: 200)
    let linked = listener.render(quanta: 100)
    #expect(linked[1].peak < half && half < 0.05)
    for (left, right) in zip(linked[0], linked[1]) { #expect(abs(left - 20 * right) < 1e-5) }
  }
}
