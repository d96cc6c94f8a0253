// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import SpatialResponses
import TestSupport
import Testing

private let headResponses: HeadResponses? = {
  do { return try HeadResponses(rate: UnitRig.rate) } catch { return nil }
}()

@Suite struct AVAudioEnvironmentNodeTests {
  private static let hasHead = headResponses != nil
  private let tone = UnitRig.tone(500, frames: 60_000)

  /// A mono player at a place in an environment.
  private func scene(
    _ x: Float, _ y: Float, _ z: Float
  ) throws -> (rig: UnitRig, player: AVAudioPlayerNode, node: AVAudioEnvironmentNode) {
    let rig = try UnitRig()
    let (player, node) = (try rig.player(tone), AVAudioEnvironmentNode())
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    rig.engine.attach(node)
    rig.engine.connect(player, to: node, format: mono)
    rig.engine.connect(node, to: rig.engine.outputNode, format: rig.format)
    player.position = AVAudio3DPoint(x: x, y: y, z: z)
    return (rig, player, node)
  }

  /// The amplitudes of the tone, left and right.
  private func amplitudes(_ samples: [Float]) -> (left: Double, right: Double) {
    let sides = (0..<2).map { side in
      let channel = stride(from: side, to: samples.count, by: 2).map { samples[$0] }
      return Tone(channel, hertz: 500, rate: 48_000).amplitude
    }
    return (sides[0], sides[1])
  }

  /// The samples of a unit with eight sources, of which the first plays the tone.
  private func render(_ unit: any ProcessingUnit, _ count: Int) throws -> [Float] {
    var graph = AudioGraph()
    let (source, mono) = (
      graph.add(UnitRig.source(tone)),
      graph.add(ChannelConverterUnit(from: 2, to: 1, rate: UnitRig.rate))
    )
    let head = graph.add(unit)
    try graph.connect(source, to: mono)
    try graph.connect(mono, to: head, input: 0)
    try graph.setHead(head)
    return try UnitRig.render(graph, count)
  }

  @Test func `Equal power panning is a SpatialMixerUnit, sample for sample`() throws {
    let (rig, player, _) = try scene(2, 1, -1)
    player.volume = 0.5
    let unit = SpatialMixerUnit(sourceCount: 8, rate: UnitRig.rate)
    let distance = Float(6.0.squareRoot())
    let values: [(SpatialMixerUnit.Setting, Double)] = [
      (.azimuth, atan2(2, 1) * 180 / .pi), (.elevation, atan2(1, 5.0.squareRoot()) * 180 / .pi),
      (.gain, Double(0.5 * (1 / (1 + (distance - 1))))), (.rolloff, 0),
    ]
    for (setting, value) in values {
      try unit.parameters.set(setting.rawValue, to: Float(value), over: 0)
    }
    let found = try rig.render(9600)
    let expected = try render(unit, 9600)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 } && found.contains { $0 != 0 })
  }

  @Test(.enabled(if: hasHead, "libmysofa is not installed"))
  func `HRTF is a SceneUnit with the responses of a head`() throws {
    let (rig, player, node) = try scene(-1, 0, 0)
    player.renderingAlgorithm = .HRTFHQ
    #expect(node.applicableRenderingAlgorithms.contains(NSNumber(value: 2)))
    let unit = SceneUnit(
      sourceCount: 8, output: .headphones(try #require(headResponses)), longestDelay: 0,
      rate: UnitRig.rate)
    for (setting, value) in [(.azimuth, -90), (.rolloff, 0)] as [(SceneUnit.Setting, Float)] {
      try unit.parameters.set(setting.rawValue, to: value, over: 0)
    }
    let found = try rig.render(9600)
    let expected = try render(unit, 9600)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 } && found.contains { $0 != 0 })
  }

  @Test func `A source is louder on its side, and moves while the engine runs`() throws {
    let (rig, player, node) = try scene(1, 0, 0)
    let right = amplitudes(try rig.render(4800))
    #expect(right.left < 1e-4 && right.right > 0.2)
    player.position = AVAudio3DPoint(x: -1, y: 0, z: 0)
    _ = try rig.render(4800)
    let left = amplitudes(try rig.render(4800))
    #expect(left.right < 1e-4 && left.left > 0.2)
    // The listener looks to the left: the source is ahead.
    node.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: -90, pitch: 0, roll: 0)
    _ = try rig.render(4800)
    let ahead = amplitudes(try rig.render(4800))
    #expect(abs(decibels(ahead.left / ahead.right)) < 0.01)
    // From a place in front of the source, it is on the listener's left.
    node.listenerPosition = AVAudio3DPoint(x: -1, y: 0, z: -1)
    _ = try rig.render(4800)
    let moved = amplitudes(try rig.render(4800))
    #expect(moved.right < 1e-4 && moved.left > 0.2)
  }

  @Test func `Distance makes a source quieter by the law that is set`() throws {
    func level(
      _ distance: Float, _ body: (AVAudioEnvironmentDistanceAttenuationParameters) -> Void
    ) throws -> Double {
      let (rig, _, node) = try scene(0, 0, -distance)
      body(node.distanceAttenuationParameters)
      return amplitudes(try rig.render(4800)).left
    }
    let near = try level(1) { _ in }
    #expect(abs(decibels(try level(4) { _ in } / near) + 12.04) < 0.05)
    #expect(abs(decibels(try level(2) { $0.referenceDistance = 2 } / near)) < 0.05)
    let held = try level(100) { $0.maximumDistance = 10 }
    #expect(abs(decibels(held / near) + 20) < 0.05)
    let steep = try level(2) {
      ($0.distanceAttenuationModel, $0.rolloffFactor) = (.exponential, 2)
    }
    #expect(abs(decibels(steep / near) + 12.04) < 0.05)
    let straight = try level(6) {
      ($0.distanceAttenuationModel, $0.maximumDistance) = (.linear, 11)
    }
    #expect(abs(decibels(straight / near) + 6.02) < 0.05)
  }

  @Test func `Stereo sources pass unchanged, unless they are points`() throws {
    let rig = try UnitRig()
    let sound = UnitRig.sound(frames: 9600)
    let (player, node) = (try rig.player(sound), AVAudioEnvironmentNode())
    player.position = AVAudio3DPoint(x: 5, y: 0, z: 0)
    rig.chain([player, node])
    #expect(try rig.render(4800).elementsEqual(sound.prefix(9600)))
    player.sourceMode = .pointSource
    _ = try rig.render(2400)
    let point = try rig.render(1200)
    #expect(stride(from: 0, to: point.count, by: 2).allSatisfy { abs(point[$0]) < 1e-4 })
    #expect(point.contains { abs($0) > 0.01 })
  }

  @Test func `A reverb receives the share of a source`() throws {
    func tail(_ body: (AVAudioPlayerNode, AVAudioEnvironmentNode) -> Void) throws -> Bool {
      let (rig, player, node) = try scene(0, 0, -1)
      body(player, node)
      _ = try rig.render(60_000)
      return try rig.render(4800).contains { abs($0) > 1e-4 }
    }
    #expect(try !tail { player, _ in player.reverbBlend = 0.5 })
    #expect(
      try tail { player, node in
        node.reverbParameters.enable = true
        node.reverbParameters.loadFactoryReverbPreset(.largeHall)
        (player.reverbBlend, node.reverbParameters.level) = (0.5, 6)
      })
  }

  @Test func `Angles and vectors of the listener agree`() {
    let node = AVAudioEnvironmentNode()
    #expect(node.listenerVectorOrientation.forward == AVAudioMake3DVector(0, 0, -1))
    for (yaw, pitch, roll) in [(90, 0, 0), (-30, 40, 20), (170, -60, -45)]
      as [(Float, Float, Float)]
    {
      node.listenerAngularOrientation = AVAudioMake3DAngularOrientation(yaw, pitch, roll)
      let vectors = node.listenerVectorOrientation
      if yaw == 90 { #expect(abs(vectors.forward.x - 1) < 1e-6) }
      node.listenerAngularOrientation = AVAudio3DAngularOrientation()
      node.listenerVectorOrientation = vectors
      let angles = node.listenerAngularOrientation
      #expect(abs(angles.yaw - yaw) < 1e-3 && abs(angles.pitch - pitch) < 1e-3)
      #expect(abs(angles.roll - roll) < 1e-3)
    }
  }

  @Test func `Values outside of their ranges are set to the nearest`() {
    let node = AVAudioEnvironmentNode()
    let distance = node.distanceAttenuationParameters
    #expect(distance.distanceAttenuationModel == .inverse)
    #expect((distance.referenceDistance, distance.maximumDistance) == (1, 100_000))
    #expect((distance.rolloffFactor, node.outputVolume) == (1, 1))
    (distance.referenceDistance, distance.rolloffFactor, node.outputVolume) = (-1, .nan, 99)
    #expect((distance.referenceDistance, distance.rolloffFactor) == (0.001, 1))
    #expect(node.outputVolume == 16 && !node.reverbParameters.enable)
    node.reverbParameters.level = 100
    #expect(node.reverbParameters.level == 40)
  }
}
