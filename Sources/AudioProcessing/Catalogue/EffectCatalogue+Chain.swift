// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension EffectCatalogue {
  /// Puts the effects that texts ask for one behind the other, as a graph that can be kept in a file, or
  /// given to a session: with one inlet, and the last effect as its head.
  ///
  /// - Parameters:
  ///   - texts: the effects, in the order in which the sound goes through them.
  ///   - rate: frames a second.
  ///   - tempo: what note values are measured by; the graph has their length in seconds.
  /// - Returns: the graph.
  /// - Throws: `EffectError`; that of `EffectError.notSavable` for a convolution, whose impulse
  ///   response no graph holds.
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
