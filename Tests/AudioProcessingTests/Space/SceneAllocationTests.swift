// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MusicalTime
import Testing

/// A scene allocates and locks nothing while all its parameters move.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct SceneAllocationTests {
  @Test(arguments: [SceneUnit.Output.headphones(TestHead.responses), .speakers(.surround71)])
  func `rendering a scene while everything moves allocates and locks nothing`(
    output: SceneUnit.Output
  ) throws {
    let scene = SceneUnit(sourceCount: 3, output: output, rate: Rate.studio)
    let rig = try SceneRig(
      scene,
      [
        GeneratorUnit(.pinkNoise, rate: Rate.studio), LateClickUnit(frame: 30_000),
        GeneratorUnit(.sine, rate: Rate.studio),
      ])
    _ = rig.render(quanta: 1)
    let set = scene.parameters
    for (index, frame) in stride(from: Int64(64), to: 60_000, by: 97).enumerated() {
      let number = index % set.parameters.count
      let range = set.parameters[number].range
      let value = index % 3 == 0 ? range.lowerBound : range.upperBound / Float(1 + index % 5)
      #expect(
        set.schedule(number, to: value, at: SampleTime(frames: frame), over: index * 7 % 900))
    }
    callocationcounter_begin()
    for block in 1..<1000 { rig.listener.plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
    #expect(rig.listener.plan.faultySampleCount == 0)
  }
}
