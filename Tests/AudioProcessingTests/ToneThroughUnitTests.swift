// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Tests every unit with a tone of 1000 Hz at −6.02 dBFS; level, pan, delay and spectrum must agree
/// with theory.
@Suite struct ToneThroughUnitTests {
  private let tone = SignalUnit.tone(1000)

  /// The level of each channel in decibels, in the steady state.
  private func levels(_ listener: PlanListener) -> [Double] {
    listener.render(quanta: 150).map { samples in
      decibels(Tone(samples.suffix(4800), hertz: 1000, rate: 48_000).amplitude)
    }
  }

  /// The level of everything except the tone, in decibels relative to the tone.
  private func residual(_ listener: PlanListener) -> Double {
    let spectrum = Spectrum(listener.render(quanta: 256)[0], hertz: 48_000)
    let rest = max(spectrum.rms(in: 0..<900), spectrum.rms(in: 1100..<24_000))
    return decibels(rest / spectrum.rms(in: 900..<1100))
  }

  /// Units that change the tone, with the theoretical gain of each channel.
  private static func units() throws -> [(unit: any ProcessingUnit, gains: [Float])] {
    let rate = Rate.studio
    let mixer = MixerUnit(stripCount: 2, rate: rate)
    mixer[0].gain = 0.5
    mixer[0].pan = 0.25
    let pan = PanLaw.balance.gains(at: 0.25)
    let panner = PannerUnit(channelCount: 2, law: .linear, rate: rate)
    panner[.pan] = -0.6
    let placed = PanLaw.linear.gains(at: -0.6)
    let converter = ChannelConverterUnit(from: 2, to: 2, rate: rate)
    try converter.parameters.set(0, to: 0.25)
    let inlet = SubgraphUnit.Inlet()
    var inner = AudioGraph()
    let limiter = inner.add(LimiterUnit(rate: rate))
    try inner.connect(inner.add(inlet), to: limiter)
    try inner.setHead(limiter)
    return [
      (mixer, [0.5 * pan.left, 0.5 * pan.right]), (panner, [placed.left, placed.right]),
      (SplitterUnit(outputCount: 1, rate: rate), [1, 1]), (MergerUnit(channelCounts: [2]), [1, 1]),
      (converter, [0.25, 1]), (LimiterUnit(rate: rate), [1, 1]),
      (EqualizerUnit(bands: [.peaking, .lowShelf, .highShelf], rate: rate), [1, 1]),
      (try SubgraphUnit(name: "subgraph", inner, inlets: [inlet]), [1, 1]),
    ]
  }

  @Test(arguments: 0..<8)
  func `each unit has the right level and its reported latency, and adds nothing`(
    index: Int
  ) throws {
    let (unit, gains) = try Self.units()[index]
    let listener = try PlanListener(tone, through: unit)
    let heard = listener.render(quanta: 150)
    #expect(listener.plan.latency == unit.latency)
    for (channel, gain) in zip(heard, gains) {
      let error = (4800..<9600).map { frame in
        let sent = SignalUnit.value(tone.signal, Int64(frame - unit.latency))
        return abs(channel[frame] - gain * sent)
      }
      // A float's rounding: 130 dB below the tone, whatever the frequency.
      #expect((error.max() ?? 1) < 1.5e-7, "\(unit.name)")
    }
  }

  @Test(arguments: PanLaw.allCases)
  func `a panner places it by the law`(law: PanLaw) throws {
    let panner = PannerUnit(channelCount: 2, law: law, rate: Rate.studio)
    let listener = try PlanListener(tone, through: panner)
    for pan in [-1, -0.6, 0, 0.25, 1] as [Float] {
      panner[.pan] = pan
      let heard = levels(listener)
      let gains = law.gains(at: pan)
      for (level, gain) in zip(heard, [gains.left, gains.right]) {
        let expected = decibels(0.5 * Double(gain))
        #expect(gain == 0 ? level < -140 : abs(level - expected) < 0.01)
      }
    }
    panner[.pan] = 0.25
    listener.render(quanta: 10)
    #expect(residual(listener) < -90)
  }

  @Test func `a mono source in the middle of a panner has 3 dB less on each side`() throws {
    let generator = GeneratorUnit(.sine, rate: Rate.studio)
    let listener = try PlanListener(generator, through: PannerUnit(rate: Rate.studio))
    let heard = levels(listener)
    #expect(abs(heard[0] + 9.03) < 0.01)
    #expect(heard[0] == heard[1])
  }

  @Test(
    arguments: [
      (0, 0, 1, -9.03, -9.03), (90, 0, 1, -200, -6.02), (-90, 0, 1, -6.02, -200),
      (90, 90, 1, -9.03, -9.03), (180, 0, 1, -9.03, -9.03), (30, 0, 1, -14.36, -6.71),
      (0, 0, 2, -15.05, -15.05), (0, 0, 4, -21.07, -21.07), (0, 0, 0.1, -9.03, -9.03),
    ] as [(Float, Float, Float, Double, Double)])
  func `a spatial mixer places it by direction and distance`(
    azimuth: Float, elevation: Float, distance: Float, left: Double, right: Double
  ) throws {
    let mixer = SpatialMixerUnit(sourceCount: 3, rate: Rate.studio)
    let generator = GeneratorUnit(.sine, rate: Rate.studio)
    mixer[0, .azimuth] = azimuth
    mixer[0, .elevation] = elevation
    mixer[0, .distance] = distance
    let heard = levels(try PlanListener(generator, through: mixer))
    for (level, expected) in zip(heard, [left, right]) {
      #expect(expected < -100 ? level < -120 : abs(level - expected) < 0.01)
    }
  }

  @Test func `distance laws and rolloff follow their formulas`() {
    #expect(DistanceLaw.inverse.gain(at: 11, rolloff: 1) == Float(1) / 11)
    #expect(DistanceLaw.inverse.gain(at: 11, rolloff: 0) == 1)
    #expect(abs(DistanceLaw.exponential.gain(at: 10, rolloff: 2) - 0.01) < 1e-8)
    #expect(DistanceLaw.linear.gain(at: 50.5, rolloff: 1) == 0.5)
    #expect(DistanceLaw.linear.gain(at: 200, rolloff: 1) == 0)
    #expect(DistanceLaw.allCases.allSatisfy { $0.gain(at: 1, rolloff: 3) == 1 })
  }

  @Test func `a splitter sends it at the gain of each output`() throws {
    let splitter = SplitterUnit(outputCount: 2, rate: Rate.studio)
    try splitter.parameters.set(1, to: 0.25)
    let merger = MergerUnit(channelCounts: [2, 2])
    var graph = AudioGraph()
    let split = graph.add(splitter)
    let head = graph.add(merger)
    try graph.connect(graph.add(tone), to: split)
    try graph.connect(split, output: 0, to: head, input: 0)
    try graph.connect(split, output: 1, to: head, input: 1)
    try graph.setHead(head)
    let heard = levels(PlanListener(try graph.compile()))
    for (level, expected) in zip(heard, [-6.02, -6.02, -18.06, -18.06]) {
      #expect(abs(level - expected) < 0.01)
    }
  }

  @Test func `a converter makes mono, stereo and more channels`() throws {
    let mono = ChannelConverterUnit(from: 2, to: 1, rate: Rate.studio)
    #expect(abs(levels(try PlanListener(tone, through: mono))[0] + 6.02) < 0.01)
    let generator = GeneratorUnit(.sine, rate: Rate.studio)
    let surround = ChannelConverterUnit(from: 1, to: 6, rate: Rate.studio)
    try surround.parameters.set(3, to: 0.5)
    let heard = levels(try PlanListener(generator, through: surround))
    for (level, expected) in zip(heard, [-6.02, -6.02, -200, -12.04, -200, -200]) {
      #expect(expected < -100 ? level < -120 : abs(level - expected) < 0.01)
    }
    try mono.parameters.set(1, to: -0.5)
    let difference = try PlanListener(SignalUnit.tone(1000), through: mono)
    #expect(difference.render(quanta: 20)[0][400...].allSatisfy { $0 == 0 })
  }

  @Test func `a limiter below its ceiling passes it bit for bit, 64 frames later`() throws {
    let listener = try PlanListener(tone, through: LimiterUnit(rate: Rate.studio))
    let heard = listener.render(quanta: 100)[0]
    #expect(heard[..<64].allSatisfy { $0 == 0 })
    #expect(Array(heard[64...]) == (0..<6336).map { SignalUnit.value(tone.signal, $0) })
  }

  @Test func `an equaliser at 0 dB passes it bit for bit`() throws {
    let equalizer = EqualizerUnit(bands: [.peaking, .lowShelf, .highShelf], rate: Rate.studio)
    let heard = try PlanListener(tone, through: equalizer).render(quanta: 100)[0]
    #expect(heard == (0..<6400).map { SignalUnit.value(tone.signal, $0) })
  }

  @Test func `a mixer moved by a track moves the sound, in a straight line from frame to frame`()
    throws
  {
    let mixer = MixerUnit(stripCount: 1, rate: Rate.studio)
    let listener = try PlanListener(SignalUnit(.constant(1)), through: mixer)
    #expect(mixer.parameters.schedule(1, to: -1, at: 0, over: 0))
    #expect(mixer.parameters.schedule(1, to: 1, at: 64, over: 4800))
    let heard = listener.render(quanta: 80)
    for frame in 64..<4864 {
      let gains = PanLaw.balance.gains(at: -1 + 2 * Float(frame - 63) / 4800)
      #expect(abs(heard[0][frame] - gains.left) < 1e-6)
      #expect(abs(heard[1][frame] - gains.right) < 1e-6)
    }
  }
}
