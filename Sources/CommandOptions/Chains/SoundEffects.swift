// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime

/// The effects on a sound that is played.
package struct SoundEffects {
  package let graph: SavedGraph
  package let registry: UnitRegistry
  package let rate: SampleRate

  /// Inserts the effects after the head of a graph.
  package func insert(into target: inout AudioGraph) throws(GraphError) {
    guard let head = target.head else { throw .noHead }
    try target.insert(graph, behind: head, by: registry, rate: rate)
  }
}
