// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime

/// Effects that all of a sound goes through while it is played.
package struct SoundEffects {
  package let graph: SavedGraph
  package let registry: UnitRegistry
  package let rate: SampleRate

  /// Puts them behind the head of a graph.
  package func insert(into target: inout AudioGraph) throws(GraphError) {
    guard let head = target.head else { throw .noHead }
    try target.insert(graph, behind: head, by: registry, rate: rate)
  }
}
