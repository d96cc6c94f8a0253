// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

extension AudioGraph {
  /// Adds a bus: a mixer of its sends, followed by its effects, connected to an input of a node.
  ///
  /// - Throws: `GraphError.noSuchNode` if a send names a unit that is not among the units, or a
  ///   unit that is not in this graph; `GraphError.badDocument` as for `AudioGraph.insert`.
  mutating func add(
    _ bus: SessionSettings.SendBus, of units: [any ProcessingUnit], to target: Node, input: Int,
    by registry: UnitRegistry, rate: SampleRate
  ) throws(GraphError) {
    var heard: [any ProcessingUnit] = []
    for send in bus.sends {
      guard let unit = units.first(where: { $0.name == send.instrument }) else {
        throw .noSuchNode
      }
      heard.append(unit)
    }
    let mixer = MixerUnit(
      name: bus.name, channelCounts: heard.map { $0.outputChannelCounts.first ?? 2 }, rate: rate)
    let sum = add(mixer)
    for (strip, unit) in heard.enumerated() {
      guard let source = node(of: unit) else { throw .noSuchNode }
      try connect(source, to: sum, input: strip)
      // The first of a strip's parameters is its gain.
      try mixer.parameters.set(strip * 5, to: bus.sends[strip].gain, over: 0)
    }
    try connect(sum, to: target, input: input)
    try insert(bus.effects, behind: sum, by: registry, rate: rate)
  }
}
