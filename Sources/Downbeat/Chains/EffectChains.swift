// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Where the effects of the program's own stand: one behind the other, in the order in which they
/// were added.
struct EffectChains {
  private var ends: [ObjectIdentifier: AudioGraph.Node] = [:]

  /// Puts an effect behind a unit and the effects that were put there before.
  ///
  /// - Throws: `GraphError` where the unit is not in the graph, or the effect does not fit there.
  mutating func add(
    _ effect: any ProcessingUnit, behind unit: any ProcessingUnit, to graph: inout AudioGraph
  ) throws(GraphError) {
    guard let node = graph.node(of: unit) else { throw .noSuchNode }
    let last = ends[ObjectIdentifier(unit)]
    // One that was taken out since is no end any more.
    let end = graph.nodes.first { $0 == last } ?? node
    ends[ObjectIdentifier(unit)] = try graph.insert(effect, behind: end)
  }
}
