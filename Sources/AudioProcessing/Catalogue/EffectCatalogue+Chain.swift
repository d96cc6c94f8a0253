// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension EffectCatalogue {
  /// Returns a graph that contains a chain of effects, for a file or a session.
  ///
  /// The graph has one stereo inlet. The last effect is the head: its bus goes to the output.
  ///
  /// - Parameters:
  ///   - texts: the effects as texts, such as `delay time=1/8.`, in the order of the signal path.
  ///   - rate: the sample rate.
  ///   - tempo: the tempo with which note values are converted; the graph stores them in seconds.
  /// - Returns: the graph.
  /// - Throws: `EffectError`. A convolution throws `EffectError.notSavable`, because graphs do not
  ///   store impulse responses.
  public func chain(
    _ texts: [String], rate: SampleRate, tempo: Tempo = .standard
  ) throws(EffectError) -> SavedGraph {
    let inlet = SavedGraph.Unit("in", UnitSetup("inlet", ["channels": .count(2)]))
    var chain = SavedGraph(units: [inlet], head: SavedGraph.Place(inlet.id))
    for (place, text) in texts.enumerated() {
      let name = try EffectText(parsing: text).name
      guard try !entry(name).readsResponse else { throw .notSavable(effect: name) }
      let unit = try unit(text, rate: rate, tempo: tempo)
      guard let setup = (unit as? any SavableUnit)?.setup else { throw .notSavable(effect: name) }
      let set = unit.parameters
      let pairs = set.parameters.indices.map { (set.parameters[$0].name, set[$0]) }
      let id = "\(place + 1) \(name)"
      chain.units.append(
        SavedGraph.Unit(
          id, setup, parameters: Dictionary(pairs) { first, _ in first }))
      if let head = chain.head {
        chain.connections.append(SavedGraph.Connection(from: head, to: SavedGraph.Place(id)))
      }
      chain.head = SavedGraph.Place(id)
    }
    return chain
  }
}
