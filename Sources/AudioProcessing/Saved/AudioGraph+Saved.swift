// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension AudioGraph {
  /// Makes saved effects and puts them behind a node: whoever heard that, the head too, hears the
  /// effects' head instead.
  ///
  /// - Parameters:
  ///   - effects: a graph with one inlet and a head.
  ///   - node: whose first output the inlet stands for.
  ///   - registry: who makes the units.
  ///   - rate: frames a second.
  /// - Throws: `GraphError.badDocument` where they have no head, or another number of inlets than one,
  ///   or cannot be made; `GraphError` where they do not fit.
  /// - Complexity: O(n) in the number of units and connections.
  public mutating func insert(
    _ effects: SavedGraph, behind node: Node, by registry: UnitRegistry = .standard,
    rate: SampleRate
  ) throws(GraphError) {
    let restored = try effects.restored(by: registry, rate: rate)
    guard let inlet = restored.inlet else {
      throw .badDocument(
        path: "units", reason: "expected exactly one unit of kind inlet, for the incoming sound")
    }
    guard effects.head != nil else {
      throw .badDocument(path: "head", reason: "expected the unit that goes to the output")
    }
    try insert(restored.graph, inlet: inlet, behind: node)
  }

  /// Which output of the head goes on, counted from 0.
  package var headOutput: Int { headPlace?.bus ?? 0 }
}
