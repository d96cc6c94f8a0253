// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension AudioGraph {
  /// Restores saved effects and inserts them after a node.
  ///
  /// All inputs that the node's first output was connected to, and the head if the output was the
  /// head, are then connected to the head of the effects.
  ///
  /// - Parameters:
  ///   - effects: a graph with one inlet and a head.
  ///   - node: the node whose first output replaces the inlet.
  ///   - registry: the registry that creates the units.
  ///   - rate: the sample rate.
  /// - Throws: `GraphError.badDocument` if the effects do not have exactly one inlet and a head, or
  ///   cannot be created; other `GraphError` values if the effects do not match the node.
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

  /// The output bus of the head, counted from 0; 0 without a head.
  package var headOutput: Int { headPlace?.bus ?? 0 }
}
