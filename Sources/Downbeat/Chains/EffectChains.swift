// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The effects that the program adds to a graph after its units, in the order in which they were
/// added.
struct EffectChains {
  private var ends: [ObjectIdentifier: AudioGraph.Node] = [:]

  /// Inserts an effect after a unit and the effects already added after it.
  ///
  /// - Throws: `GraphError` if the unit is not in the graph, or the effect does not fit there.
  mutating func add(
    _ effect: any ProcessingUnit, behind unit: any ProcessingUnit, to graph: inout AudioGraph
  ) throws(GraphError) {
    guard let node = graph.node(of: unit) else { throw .noSuchNode }
    let last = ends[ObjectIdentifier(unit)]
    // An effect that has been removed since is not the end any more.
    let end = graph.nodes.first { $0 == last } ?? node
    ends[ObjectIdentifier(unit)] = try graph.insert(effect, behind: end)
  }

  /// Mixes the sound of a source into the sound after a unit and its added effects.
  ///
  /// - Throws: `GraphError` if the unit is not in the graph, or the source is not mono or stereo.
  mutating func mix(
    _ source: any ProcessingUnit, gain: Float, behind unit: any ProcessingUnit,
    to graph: inout AudioGraph, rate: SampleRate
  ) throws(GraphError) {
    let count = source.outputChannelCounts.first ?? 0
    guard (1...2).contains(count) else {
      throw .channelMismatch(
        source: source.name, sourceCount: count, target: unit.name, targetCount: 2)
    }
    let mixer = MixerUnit(name: "\(source.name) mixed in", channelCounts: [2, count], rate: rate)
    mixer[1].gain = gain
    try add(mixer, behind: unit, to: &graph)
    guard let sum = graph.node(of: mixer) else { throw .noSuchNode }
    try graph.connect(graph.add(source), to: sum, input: 1)
  }
}
