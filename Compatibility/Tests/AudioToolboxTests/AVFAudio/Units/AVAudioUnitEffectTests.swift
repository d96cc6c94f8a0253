// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Effects against the units of AudioProcessing, sample for sample.
@Suite struct AVAudioUnitEffectTests {
  private let sound = UnitRig.sound(frames: 20_000)
  private let rate = UnitRig.rate

  /// The sound of a node, and of units.
  private func expectSame(
    _ node: AVAudioUnitEffect, _ units: [any ProcessingUnit], _ count: Int = 30_000
  ) throws {
    let rig = try UnitRig()
    rig.chain([try rig.player(sound), node])
    let found = try rig.render(count)
    let expected = try UnitRig.render([UnitRig.source(sound)] + units, count)
    #expect(found.contains { $0 != 0 } && found.count == expected.count)
    #expect(found.elementsEqual(expected))
  }

  private func set<Unit: SettableUnit>(
    _ unit: Unit, _ values: [(Unit.Setting, Float)]
  ) throws -> Unit {
    for (setting, value) in values {
      try unit.parameters.set(setting.rawValue, to: value, over: 0)
    }
    return unit
  }

  @Test func `A delay is a DelayUnit`() throws {
    let node = AVAudioUnitDelay()
    (node.delayTime, node.feedback, node.lowPassCutoff, node.wetDryMix) = (0.1, -60, 5000, 40)
    let unit = try set(
      DelayUnit(longestSeconds: 2, rate: rate),
      [(.time, 0.1), (.feedback, -0.6), (.damping, 5000), (.mix, 0.4)])
    try expectSame(node, [unit])
  }

  @Test(
    arguments: [(.cathedral, .cathedral), (.plate, .plate), (.mediumHall3, .mediumHall3)]
      as [(AVAudioUnitReverbPreset, ReverbRoom)])
  func `A reverb is a ReverbUnit with the settings of a room`(
    preset: AVAudioUnitReverbPreset, room: ReverbRoom
  ) throws {
    let node = AVAudioUnitReverb()
    node.loadFactoryPreset(preset)
    node.wetDryMix = 35
    let unit = ReverbUnit(rate: rate)
    unit.set(room, over: 0)
    try unit.parameters.set(ReverbUnit.Setting.mix.rawValue, to: 0.35, over: 0)
    try expectSame(node, [unit])
  }

  @Test func `A distortion is a chain of effects, mixed with the direct sound`() throws {
    let node = AVAudioUnitDistortion()
    node.loadFactoryPreset(.multiDecimated2)
    (node.preGain, node.wetDryMix) = (6, 25)
    let rig = try UnitRig()
    rig.chain([try rig.player(sound), node])
    let found = try rig.render(30_000)
    var graph = AudioGraph()
    let start = graph.add(UnitRig.source(sound))
    let gain = MixerUnit(stripCount: 1, rate: rate)
    let mixer = MixerUnit(stripCount: 2, rate: rate)
    let factor = Float(pow(10, 6.0 / 20))
    try gain.parameters.set(0, to: factor, over: 0)
    try mixer.parameters.set(0, to: 0.75, over: 0)
    try mixer.parameters.set(5, to: 0.25, over: 0)
    let (gained, end) = (graph.add(gain), graph.add(mixer))
    try graph.connect(start, to: gained)
    var last = gained
    for text in DistortionSound.decimated2.effects {
      let next = graph.add(try EffectCatalogue.standard.unit(text, rate: rate))
      try graph.connect(last, to: next)
      last = next
    }
    try graph.connect(start, to: end, input: 0)
    try graph.connect(last, to: end, input: 1)
    try graph.setHead(end)
    #expect(found.elementsEqual(try UnitRig.render(graph, 30_000)))
  }

  @Test(arguments: 0..<22)
  func `Every kind of distortion plays`(kind: Int) throws {
    let node = AVAudioUnitDistortion()
    node.loadFactoryPreset(try #require(AVAudioUnitDistortionPreset(rawValue: kind)))
    node.wetDryMix = 100
    let rig = try UnitRig()
    rig.chain([try rig.player(UnitRig.tone(440, frames: 9600)), node])
    let found = try rig.render(9600)
    #expect(found.contains { abs($0) > 1e-3 } && found.allSatisfy { $0.isFinite })
  }

  @Test func `An equaliser is an EqualizerUnit of the bands that are not bypassed`() throws {
    let node = AVAudioUnitEQ(numberOfBands: 3)
    (node.bands[0].frequency, node.bands[0].gain, node.bands[0].bypass) = (300, -9, false)
    (node.bands[2].filterType, node.bands[2].frequency) = (.highShelf, 4000)
    (node.bands[2].gain, node.bands[2].bypass) = (5, false)
    node.globalGain = -3
    let unit = EqualizerUnit(bands: [.peaking, .highShelf], leastGain: -96, rate: rate)
    let ratio = pow(2, 0.5)
    let quality = Float(sqrt(ratio) / (ratio - 1))
    for (index, value) in [300, -9, quality, 4000, 5, 0.70710678].enumerated() {
      try unit.parameters.set(index, to: value, over: 0)
    }
    let gain = MixerUnit(stripCount: 1, rate: rate)
    try gain.parameters.set(0, to: Float(pow(10, -3.0 / 20)), over: 0)
    try expectSame(node, [unit, gain])
  }

  @Test func `Bypass passes samples unchanged, and ends while the engine runs`() throws {
    let nodes = [
      AVAudioUnitDelay(), AVAudioUnitReverb(), AVAudioUnitDistortion(),
      AVAudioUnitEQ(numberOfBands: 2),
    ]
    (nodes[1] as? AVAudioUnitReverb)?.wetDryMix = 50
    (nodes[3] as? AVAudioUnitEQ)?.globalGain = 6
    for node in nodes {
      node.bypass = true
      let rig = try UnitRig()
      rig.chain([try rig.player(sound), node])
      let found = try rig.render(10_000)
      #expect(found.elementsEqual(sound.prefix(20_000)), "\(node.name)")
      node.bypass = false
      let changed = try rig.render(5000)
      #expect(!changed.elementsEqual(sound.dropFirst(20_000).prefix(10_000)), "\(node.name)")
    }
  }

  @Test func `A value that is changed is reached while the engine runs`() throws {
    let node = AVAudioUnitEQ(numberOfBands: 1)
    let rig = try UnitRig()
    rig.chain([try rig.player(UnitRig.tone(1000, frames: 40_000)), node])
    let before = UnitRig.left(try rig.render(4800))
    node.globalGain = -20
    _ = try rig.render(4800)
    let after = UnitRig.left(try rig.render(4800))
    let tones = [before, after].map { Tone($0, hertz: 1000, rate: 48_000).amplitude }
    #expect(abs(decibels(tones[1] / tones[0]) + 20) < 0.01)
    (node.bands[0].filterType, node.bands[0].frequency) = (.bandStop, 1000)
    node.bands[0].bypass = false
    _ = try rig.render(9600)
    let silent = UnitRig.left(try rig.render(4800))
    #expect(decibels(Tone(silent, hertz: 1000, rate: 48_000).amplitude / tones[1]) < -60)
  }

  @Test func `A mono player sounds through a stereo effect`() throws {
    let rig = try UnitRig()
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let (player, node) = (try rig.player(UnitRig.tone(1000, frames: 4800)), AVAudioUnitDelay())
    node.wetDryMix = 0
    rig.engine.attach(node)
    rig.engine.connect(player, to: node, format: mono)
    rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
    let found = try rig.render(4800)
    #expect(found.contains { abs($0) > 0.2 })
    #expect(stride(from: 0, to: found.count, by: 2).allSatisfy { found[$0] == found[$0 + 1] })
  }

  @Test func `Values outside of their ranges are set to the nearest`() {
    let delay = AVAudioUnitDelay()
    #expect((delay.delayTime, delay.feedback) == (1, 50))
    #expect((delay.lowPassCutoff, delay.wetDryMix) == (15_000, 100))
    (delay.delayTime, delay.feedback, delay.lowPassCutoff, delay.wetDryMix) = (3, 200, 1e9, -1)
    #expect((delay.delayTime, delay.feedback) == (2, 100))
    #expect((delay.lowPassCutoff, delay.wetDryMix) == (22_050, 0))
    delay.delayTime = .nan
    #expect(delay.delayTime == 1)
    let distortion = AVAudioUnitDistortion()
    #expect((distortion.preGain, distortion.wetDryMix) == (-6, 50))
    (distortion.preGain, distortion.wetDryMix) = (-100, 101)
    #expect((distortion.preGain, distortion.wetDryMix) == (-80, 100))
    let equalizer = AVAudioUnitEQ(numberOfBands: 2)
    #expect(equalizer.bands.count == 2 && equalizer.bands.allSatisfy(\.bypass))
    let band = equalizer.bands[0]
    #expect((band.filterType, band.bandwidth, band.gain) == (.parametric, 0.5, 0))
    (band.frequency, band.bandwidth, band.gain, equalizer.globalGain) = (1, 9, -200, 40)
    #expect((band.frequency, band.bandwidth, band.gain) == (20, 5, -96))
    #expect(equalizer.globalGain == 24)
    let reverb = AVAudioUnitReverb()
    reverb.wetDryMix = 130
    #expect(reverb.wetDryMix == 100)
  }
}
