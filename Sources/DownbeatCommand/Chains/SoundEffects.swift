// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Effects that all of a sound goes through while it is played.
struct SoundEffects {
  let graph: SavedGraph
  let registry: UnitRegistry
  let rate: SampleRate

  /// Puts them behind the head of a graph.
  func insert(into target: inout AudioGraph) throws(GraphError) {
    guard let head = target.head else { throw .noHead }
    try target.insert(graph, behind: head, by: registry, rate: rate)
  }
}
