// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// The strips of a mixer: mute, enable, solo, mono, meters.
@Suite struct MixerStripTests {
  private let mixer: MixerUnit
  private let listener: PlanListener

  /// Three stereo strips at 1, 2 and 4 sixteenths.
  init() throws {
    mixer = MixerUnit(stripCount: 3, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    for strip in 0..<3 {
      let source = graph.add(SignalUnit(.constant(Float(1 << strip) / 16)))
      try graph.connect(source, to: head, input: strip)
    }
    try graph.setHead(head)
    listener = PlanListener(try graph.compile())
  }

  private func sixteenths() -> Float {
    let heard = listener.render(quanta: 8)[0]
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.002 })
    return heard[500] * 16
  }

  @Test func `solo leaves only the solo strips, and mute overrides it`() {
    #expect(sixteenths() == 7)
    mixer[1].isSolo = true
    #expect(sixteenths() == 2)
    mixer[2].isSolo = true
    #expect(sixteenths() == 6)
    mixer[1].isMuted = true
    #expect(sixteenths() == 4)
    mixer[2].isSolo = false
    #expect(sixteenths() == 0)
    mixer[1].isSolo = false
    #expect(sixteenths() == 5)
  }

  @Test func `a disabled strip is silent, and its meter falls`() {
    mixer[2].isEnabled = false
    #expect(sixteenths() == 3)
    listener.render(quanta: 3000)
    #expect(mixer.level(of: 2).left.peak < 0.01)
    #expect(mixer.level(of: 1).left.peak == 0.125)
    mixer[2].isEnabled = true
    #expect(sixteenths() == 7)
  }

  @Test func `a change of law does not click`() {
    mixer[0].law = .linear
    #expect(sixteenths() == 6.5)
    mixer[0].law = .balance
    #expect(sixteenths() == 7)
  }

  @Test(arguments: [(PanLaw.constantPower, -9.03), (.linear, -12.041), (.balance, -6.02)])
  func `a mono strip is in the middle at the level of its law`(law: PanLaw, level: Double)
    throws
  {
    let mixer = MixerUnit(channelCounts: [1], law: law, rate: Rate.studio)
    let listener = try PlanListener(GeneratorUnit(.sine, rate: Rate.studio), through: mixer)
    for channel in listener.render(quanta: 150) {
      let tone = Tone(channel, hertz: 1000, rate: 48_000)
      #expect(abs(decibels(tone.amplitude) - level) < 0.01)
    }
    listener.render(quanta: 2000)
    let meter = mixer.level(of: 0).left
    #expect(abs(Double(Level.decibels(meter.peak)) - level) < 0.1)
    #expect(abs(Double(Level.decibels(meter.rms)) - level + 3.01) < 0.1)
  }

  @Test func `strips are added in order, exact to the last bit`() throws {
    let levels: [Float] = [0.1, -0.37, 0.73, 0.011, -0.09, 0.5, 0.333]
    let mixer = MixerUnit(stripCount: levels.count, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    for (strip, level) in levels.enumerated() {
      mixer[strip].gain = 0.7 + Float(strip) / 9
      let source = graph.add(SignalUnit(.constant(level)))
      try graph.connect(source, to: head, input: strip)
    }
    try graph.setHead(head)
    let heard = PlanListener(try graph.compile()).render(quanta: 20)[0]
    let expected = levels.enumerated().reduce(Float(0)) { sum, strip in
      sum + strip.element * mixer[strip.offset].gain
    }
    #expect(heard.suffix(64).allSatisfy { $0 == expected })
  }
}
