// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import TestSupport
import Testing

@Suite struct LimiterUnitTests {
  private let limiter = LimiterUnit(rate: Rate.studio)

  /// Noise, steps, single peaks, full scale and more as input.
  @Test func `the output never exceeds full scale`() throws {
    var random = SplitMix(seed: 7)
    let source = SignalUnit(.constant(0))
    let listener = try PlanListener(source, through: limiter)
    for _ in 0..<3000 {
      let level = Float(random.next() % 1000) / 100
      switch random.next() % 5 {
      case 0: source.signal = .constant(level)
      case 1: source.signal = .alternating(level, -level * 3)
      case 2: source.signal = .sine(radians: Double(level), amplitude: level)
      case 3: source.signal = .alternating(0.3, 1e20)
      default: source.signal = .constant(0.1)
      }
      for channel in listener.render(quanta: 1) {
        for sample in channel { #expect(sample.magnitude <= 1) }
      }
      limiter[.release] = level / 3
    }
  }

  @Test func `a loud tone leaves at the ceiling, with almost no distortion`() throws {
    let listener = try PlanListener(SignalUnit.tone(1000, amplitude: 2), through: limiter)
    listener.render(quanta: 200)
    let heard = listener.render(quanta: 256)[0]
    let level = Tone(heard.prefix(9600), hertz: 1000, rate: 48_000).amplitude
    #expect(abs(decibels(level)) < 0.1)
    let spectrum = Spectrum(heard, hertz: 48_000)
    #expect(decibels(spectrum.rms(in: 1500..<24_000) / spectrum.rms(in: 900..<1100)) < -50)
    #expect(abs(decibels(Double(limiter.lowestGain)) + 6.02) < 0.01)
  }

  @Test func `a ceiling below full scale holds, too`() throws {
    limiter[.ceiling] = -6.0206
    let listener = try PlanListener(SignalUnit.tone(1000, amplitude: 0.9), through: limiter)
    listener.render(quanta: 50)
    let peak = listener.render(quanta: 256)[0].map(\.magnitude).max() ?? 0
    #expect(peak <= 0.50001)
    #expect(peak > 0.49)
  }

  @Test func `the gain begins to fall 58 frames before a peak, and recovers by the release`()
    throws
  {
    let source = SignalUnit(.constant(0.5))
    let listener = try PlanListener(source, through: limiter)
    listener.render(quanta: 10)
    source.signal = .constant(2)
    let step = listener.render(quanta: 1)[0]
    // The output is still 0.5; in the last frame before the peak, it is nearly at the lowest gain.
    #expect(step[..<5].allSatisfy { $0 == 0.5 })
    #expect(step[63] < 0.26)
    #expect(zip(step[5...], step[6...]).allSatisfy { $0 > $1 })
    // Next to a step, the signal between the samples rises above it.
    let down = listener.render(quanta: 1)[0]
    #expect(down.allSatisfy { $0 <= 1 && $0 > 0.8 })
    source.signal = .constant(0.5)
    listener.render(quanta: 2)
    let rising = listener.render(quanta: 2000)[0]
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $1 >= $0 - 1e-7 })
    // After the release time, 63 % of the change is done.
    #expect(abs(rising[4800 - 122] / 0.5 - (1 - (1 - rising[0] / 0.5) * 0.3679)) < 0.02)
    #expect(rising[100_000...].allSatisfy { $0 == 0.5 })
    #expect(limiter.limitedFrameCount > 64)
  }

  /// Tones that rise between their samples, noise, steps and single peaks: the output of a
  /// converter, as measured by libebur128.
  @Test(arguments: [0, -1, -1.1, -12] as [Float])
  func `nothing rises above the ceiling between the samples either`(ceiling: Float) throws {
    let limiter = LimiterUnit(ceiling: ceiling, rate: Rate.studio)
    var random = SplitMix(seed: 11)
    let source = SignalUnit(.constant(0))
    let listener = try PlanListener(source, through: limiter)
    for radians in [1.5707963, 1.9, 0.8, 2.4, 0.1] {
      source.signal = .sine(radians: radians, amplitude: 1.7)
      listener.render(quanta: 60)
    }
    for _ in 0..<2000 {
      let level = Float(random.next() % 3000) / 1000
      switch random.next() % 4 {
      case 0: source.signal = .constant(level)
      case 1: source.signal = .alternating(level, -level / 2)
      case 2: source.signal = .sine(radians: Double(level), amplitude: level)
      default: source.signal = .constant(-0.1)
      }
      listener.render(quanta: 1)
    }
    let meter = try LoudnessMeter(channelCount: 2, rate: Rate.studio)
    var heard: [Float] = []
    for (left, right) in zip(listener.channels[0], listener.channels[1]) { heard += [left, right] }
    meter.measure(heard.span)
    #expect(decibels(meter.truePeak) <= Double(ceiling) + 0.1, "\(decibels(meter.truePeak)) dB")
    #expect(decibels(meter.truePeak) > Double(ceiling) - 0.5)
  }

  @Test func `both channels get the same gain`() throws {
    let merger = MergerUnit(channelCounts: [1, 1])
    let loud = GeneratorUnit(.sine, rate: Rate.studio)
    let quiet = GeneratorUnit(.sine, rate: Rate.studio)
    loud[.level] = 1
    quiet[.level] = 0.25
    let mixer = MixerUnit(stripCount: 1, rate: Rate.studio)
    mixer[0].gain = 4
    var graph = AudioGraph()
    let both = graph.add(merger)
    let gain = graph.add(mixer)
    let head = graph.add(limiter)
    try graph.connect(graph.add(loud), to: both, input: 0)
    try graph.connect(graph.add(quiet), to: both, input: 1)
    try graph.connect(both, to: gain)
    try graph.connect(gain, to: head)
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    listener.render(quanta: 100)
    let heard = listener.render(quanta: 10)
    for (left, right) in zip(heard[0], heard[1]) { #expect(abs(left - 4 * right) < 1e-6) }
  }
}
