// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime

/// A scene whose sources are units of one channel each.
final class SceneRig {
  let scene: SceneUnit
  let listener: PlanListener

  init(_ scene: SceneUnit, _ sources: [any ProcessingUnit]) throws {
    self.scene = scene
    var graph = AudioGraph()
    let head = graph.add(scene)
    for (input, source) in sources.enumerated() {
      try graph.connect(graph.add(source), to: head, input: input)
    }
    try graph.setHead(head)
    listener = PlanListener(try graph.compile())
  }

  /// A scene of one click, at frame 0.
  convenience init(click output: SceneUnit.Output) throws {
    try self.init(
      SceneUnit(sourceCount: 1, output: output, rate: Rate.studio), [ImpulseUnit(channelCount: 1)])
  }

  /// A scene of one tone, at 48 000 Hz.
  convenience init(
    tone hertz: Float, _ output: SceneUnit.Output, distanceLaw: DistanceLaw = .inverse
  ) throws {
    let tone = GeneratorUnit(.sine, rate: Rate.studio)
    tone.parameters.hold(GeneratorUnit.Setting.frequency, to: hertz)
    tone.parameters.hold(GeneratorUnit.Setting.level, to: 1)
    try self.init(
      SceneUnit(sourceCount: 1, output: output, distanceLaw: distanceLaw, rate: Rate.studio),
      [tone])
  }

  /// Sets a parameter of the first source at once.
  func set(_ setting: SceneUnit.Setting, to value: Float) throws {
    try scene.parameters.set(setting.rawValue, to: value, over: 0)
  }

  /// Sets a parameter of the listener at once.
  func set(_ setting: SceneUnit.ListenerSetting, to value: Float) throws {
    try scene.parameters.set(
      scene.sourceCount * SceneUnit.Setting.allCases.count + setting.rawValue, to: value, over: 0)
  }

  func render(quanta: Int) -> [[Float]] { listener.render(quanta: quanta) }

  /// Renders on; returns the greatest second difference of any channel, from a frame on.
  func bend(quanta: Int, from first: Int) -> Float {
    var top: Float = 0
    for samples in render(quanta: quanta) {
      for frame in first + 1..<samples.count - 1 {
        let middle: Float = 2 * samples[frame]
        top = max(top, abs(samples[frame - 1] + samples[frame + 1] - middle))
      }
    }
    return top
  }
}

/// A head made for tests: short responses of noise, later and quieter in the ear that is turned away.
enum TestHead {
  static let responses = HeadResponses(
    rate: Rate.studio, azimuthCount: 24, elevationCount: 7, measure: measure)

  static func measure(_ azimuth: Double, _ elevation: Double) -> EarResponses {
    let side = Double(sine(azimuth * .pi / 180) * sine((90 - elevation) * .pi / 180))
    return EarResponses(left: response(-side, 1), right: response(side, 2))
  }

  private static func response(_ nearness: Double, _ seed: UInt32) -> [Float] {
    let onset = 20 - Int((8 * nearness).rounded())
    var samples = [Float](repeating: 0, count: 100)
    var state = seed
    for frame in 0..<70 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(state >> 8) / Float(1 << 23) - 1
      let height = Float(0.5 + 0.3 * nearness) * (frame == 0 ? 1 : 0.3 * noise)
      samples[onset + frame] = height / Float(1 + frame / 8)
    }
    return samples
  }
}
