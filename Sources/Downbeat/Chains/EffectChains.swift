// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

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

  /// Adds what a source makes to what is behind a unit and the effects that were put there before.
  ///
  /// - Throws: `GraphError` where the unit is not in the graph, or the source is not mono or stereo.
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
