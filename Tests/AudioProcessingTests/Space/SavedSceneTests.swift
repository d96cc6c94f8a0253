// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// Scenes in saved graphs.
@Suite struct SavedSceneTests {
  private func saved(_ output: SceneUnit.Output) throws -> SavedGraph {
    let scene = SceneUnit(
      sourceCount: 2, output: output, distanceLaw: .exponential, longestDelay: 0.5,
      rate: Rate.studio)
    scene[1, .azimuth] = -75
    scene[.tilt] = 12
    var graph = AudioGraph()
    try graph.setHead(graph.add(scene))
    return try SavedGraph(graph)
  }

  private func restored(_ graph: SavedGraph, by registry: UnitRegistry) throws -> SceneUnit? {
    let restored = try SavedGraph(Array(graph.text.utf8)).restored(by: registry, rate: Rate.studio)
    return restored.graph.nodes.lazy.compactMap { restored.graph.unit(at: $0) as? SceneUnit }.first
  }

  @Test(arguments: [SpeakerLayout.quad, .surround51, .surround71])
  func `a scene for loudspeakers is restored unchanged`(layout: SpeakerLayout) throws {
    let scene = try restored(try saved(.speakers(layout)), by: .standard)
    #expect(scene?.output == .speakers(layout))
    #expect(scene?[1, .azimuth] == -75 && scene?[.tilt] == 12 && scene?.longestDelay == 0.5)
  }

  @Test func `a scene for headphones needs responses at the graph's rate`() throws {
    let graph = try saved(.headphones(TestHead.responses))
    var registry = UnitRegistry.standard
    registry.register(headphones: TestHead.responses)
    #expect(try restored(graph, by: registry)?.output == .headphones(TestHead.responses))
    let error = #expect(throws: GraphError.self) { try restored(graph, by: .standard) }
    #expect("\(error, default: "")".contains("output: expected one of quad, 5.1, 7.1"))
  }

  @Test func `a custom layout cannot be saved`() {
    let layout = SpeakerLayout(azimuths: [0, 120, -120])
    #expect(throws: GraphError.notSavable("scene")) { try saved(.speakers(layout)) }
  }
}
