// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import MusicalTime

/// A scene whose sources are units of one channel each.
package final class SceneRig {
  package let scene: SceneUnit
  package let listener: PlanListener

  package init(_ scene: SceneUnit, _ sources: [any ProcessingUnit]) throws {
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
  package convenience init(click output: SceneUnit.Output) throws {
    try self.init(
      SceneUnit(sourceCount: 1, output: output, rate: Rate.studio), [ImpulseUnit(channelCount: 1)])
  }

  /// A scene of one tone, at 48 000 Hz.
  package convenience init(
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
  package func set(_ setting: SceneUnit.Setting, to value: Float) throws {
    try scene.parameters.set(setting.rawValue, to: value, over: 0)
  }

  /// Sets a parameter of the listener at once.
  package func set(_ setting: SceneUnit.ListenerSetting, to value: Float) throws {
    try scene.parameters.set(
      scene.sourceCount * SceneUnit.Setting.allCases.count + setting.rawValue, to: value, over: 0)
  }

  package func render(quanta: Int) -> [[Float]] { listener.render(quanta: quanta) }

  /// Renders more quanta; returns the greatest second difference of any channel, from a frame on.
  package func bend(quanta: Int, from first: Int) -> Float {
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
