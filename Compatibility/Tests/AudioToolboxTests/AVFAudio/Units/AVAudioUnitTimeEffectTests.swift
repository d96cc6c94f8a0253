// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import TestSupport
import Testing
import TimeStretching

private let isRubberBandInstalled: Bool = {
  do {
    _ = try TimePitchUnit(playing: UnitRig.source([]), rate: UnitRig.rate)
    return true
  } catch {
    return false
  }
}()

@Suite struct AVAudioUnitTimeEffectTests {
  private static let hasRubberBand = isRubberBandInstalled

  /// The last frame that is audible.
  private func end(_ samples: [Float]) -> Int {
    (samples.lastIndex { abs($0) > 1e-3 } ?? 0) / 2
  }

  @Test func `Varispeed is a VarispeedUnit of the nodes in front of it`() throws {
    let sound = UnitRig.sound(frames: 20_000)
    for speed in [0.7, 1, 1.5] as [Float] {
      let (rig, node) = (try UnitRig(), AVAudioUnitVarispeed())
      node.rate = speed
      rig.chain([try rig.player(sound), node])
      let found = try rig.render(12_000)
      var graph = AudioGraph()
      try graph.setHead(graph.add(UnitRig.source(sound)))
      let unit = try VarispeedUnit(graph, rate: UnitRig.rate)
      try unit.parameters.set(0, to: speed, over: 0)
      #expect(found.elementsEqual(try UnitRig.render([unit], 12_000)), "\(speed)")
    }
  }

  @Test func `Varispeed at rate 2 halves the length and doubles the pitch`() throws {
    let (rig, node) = (try UnitRig(), AVAudioUnitVarispeed())
    node.rate = 2
    rig.chain([try rig.player(UnitRig.tone(440, frames: 24_000)), node])
    let found = try rig.render(24_000)
    #expect(abs(end(found) - 12_000) < 100)
    #expect(abs(UnitRig.hertz(UnitRig.left(found.prefix(20_000))) - 880) < 1)
  }

  @Test func `Effects in front of a time effect run at its rate`() throws {
    let (rig, node, delay) = (try UnitRig(), AVAudioUnitVarispeed(), AVAudioUnitDelay())
    node.rate = 2
    (delay.delayTime, delay.feedback, delay.wetDryMix) = (0.25, 0, 50)
    rig.chain([try rig.player(UnitRig.tone(440, frames: 480)), delay, node])
    let found = try rig.render(12_000)
    // The echo after 12,000 frames of the section is after 6000 of the engine.
    #expect(found.prefix(400).contains { abs($0) > 0.1 })
    #expect(found[1000..<11_800].allSatisfy { abs($0) < 1e-3 })
    #expect(found[12_000..<12_400].contains { abs($0) > 0.1 })
  }

  @Test func `A player in front of a time effect has a time that the effect asks for`() throws {
    let (rig, node) = (try UnitRig(), AVAudioUnitVarispeed())
    node.rate = 2
    let player = try rig.player(UnitRig.tone(440, frames: 48_000))
    rig.chain([player, node])
    _ = try rig.render(9600)
    let now = try #require(player.lastRenderTime)
    let time = try #require(player.playerTime(forNodeTime: now))
    #expect(abs(time.sampleTime - 19_200) < 1000)
    #expect(rig.engine.outputNode.lastRenderTime?.sampleTime == 9600)
  }

  @Test func `Connections in front of a time effect can be changed while the engine runs`() throws {
    let (rig, node, mixer) = (try UnitRig(), AVAudioUnitVarispeed(), AVAudioMixerNode())
    node.rate = 0.5
    rig.engine.attach(mixer)
    let first = try rig.player(UnitRig.tone(440, frames: 96_000))
    rig.engine.connect(first, to: mixer, format: rig.format)
    rig.chain([mixer, node])
    #expect(try rig.render(4800).contains { abs($0) > 0.1 })
    rig.engine.disconnectNodeOutput(first)
    _ = try rig.render(4800)
    #expect(try rig.render(4800).allSatisfy { $0 == 0 })
    let second = try rig.player(UnitRig.tone(440, frames: 96_000))
    rig.engine.connect(second, to: mixer, format: rig.format)
    _ = try rig.render(4800)
    #expect(abs(UnitRig.hertz(UnitRig.left(try rig.render(9600))) - 220) < 1)
  }

  @Test func `Time effects follow one another, and can be removed while the engine runs`() throws {
    let rig = try UnitRig()
    let (first, second) = (AVAudioUnitVarispeed(), AVAudioUnitVarispeed())
    (first.rate, second.rate) = (2, 1.5)
    let player = try rig.player(UnitRig.tone(440, frames: 96_000))
    rig.chain([player, first, second])
    #expect(abs(UnitRig.hertz(UnitRig.left(try rig.render(9600))) - 1320) < 2)
    let place = try #require(player.lastRenderTime?.sampleTime)
    #expect(abs(place - 28_800) < 2000)
    rig.engine.detach(second)
    rig.engine.connect(first, to: rig.engine.outputNode, format: rig.format)
    _ = try rig.render(4800)
    #expect(abs(UnitRig.hertz(UnitRig.left(try rig.render(9600))) - 880) < 2)
    rig.engine.detach(first)
    rig.engine.connect(player, to: rig.engine.outputNode, format: rig.format)
    _ = try rig.render(4800)
    #expect(abs(UnitRig.hertz(UnitRig.left(try rig.render(9600))) - 440) < 1)
    #expect(player.lastRenderTime?.sampleTime == 38_400)
  }

  @Test func `An output in front of a time effect cannot also be connected elsewhere`() throws {
    let (rig, node) = (try UnitRig(), AVAudioUnitVarispeed())
    let player = try rig.player(UnitRig.tone(440, frames: 4800))
    rig.chain([player, node])
    rig.engine.connect(
      player,
      to: [
        AVAudioConnectionPoint(node: node, bus: 0),
        AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 1),
      ], fromBus: 0, format: rig.format)
    #expect(rig.engine.outputConnectionPoints(for: player, outputBus: 0).map(\.bus) == [0])
  }

  @Test(.enabled(if: hasRubberBand, "Rubber Band 3 is not installed"))
  func `Time pitch keeps the length and moves the pitch`() throws {
    let (rig, node) = (try UnitRig(), AVAudioUnitTimePitch())
    node.pitch = 700
    rig.chain([try rig.player(UnitRig.tone(440, frames: 48_000)), node])
    let found = try rig.render(60_000)
    #expect(abs(end(found) - 48_000) < 2000)
    let expected = 440 * pow(2, 700.0 / 1200)
    #expect(abs(UnitRig.hertz(UnitRig.left(found[20_000..<80_000])) - expected) < 3)
  }

  @Test(.enabled(if: hasRubberBand, "Rubber Band 3 is not installed"))
  func `Time pitch at rate 2 halves the length and keeps the pitch`() throws {
    let (rig, node) = (try UnitRig(), AVAudioUnitTimePitch())
    node.rate = 2
    rig.chain([try rig.player(UnitRig.tone(440, frames: 48_000)), node])
    let found = try rig.render(40_000)
    #expect(abs(end(found) - 24_000) < 2000)
    #expect(abs(UnitRig.hertz(UnitRig.left(found[10_000..<40_000])) - 440) < 2)
  }

  @Test(.enabled(if: hasRubberBand, "Rubber Band 3 is not installed"))
  func `Time pitch is a TimePitchUnit, and bypass passes samples unchanged`() throws {
    let sound = UnitRig.sound(frames: 20_000)
    let (rig, node) = (try UnitRig(), AVAudioUnitTimePitch())
    (node.rate, node.pitch) = (1.25, -300)
    rig.chain([try rig.player(sound), node])
    let found = try rig.render(9000)
    let unit = try TimePitchUnit(playing: UnitRig.source(sound), rate: UnitRig.rate)
    try unit.parameters.set(0, to: 1.25, over: 0)
    try unit.parameters.set(1, to: -300, over: 0)
    #expect(found.elementsEqual(try UnitRig.render([unit], 9000)))
    for effect in [AVAudioUnitTimePitch(), AVAudioUnitVarispeed()] as [AVAudioUnitTimeEffect] {
      let plain = try UnitRig()
      (effect as? AVAudioUnitTimePitch)?.pitch = 500
      (effect as? AVAudioUnitVarispeed)?.rate = 3
      effect.bypass = true
      plain.chain([try plain.player(sound), effect])
      #expect(try plain.render(10_000).elementsEqual(sound.prefix(20_000)))
    }
  }

  @Test func `Values outside of their ranges are set to the nearest`() {
    let (varispeed, pitch) = (AVAudioUnitVarispeed(), AVAudioUnitTimePitch())
    #expect((varispeed.rate, pitch.rate, pitch.pitch, pitch.overlap) == (1, 1, 0, 8))
    (varispeed.rate, pitch.rate, pitch.pitch, pitch.overlap) = (9, 0, 3000, 100)
    #expect((varispeed.rate, pitch.rate, pitch.pitch, pitch.overlap) == (4, 1 / 32, 2400, 32))
    varispeed.rate = .nan
    #expect(varispeed.rate == 1)
  }
}
