// SPDX-License-Identifier: Apache-2.0

/// The nodes of a graph that are rendered, each after its sources.
struct RenderOrder {
  private(set) var nodes: [AudioGraph.Node] = []
  private var done: Set<AudioGraph.Node> = []
  private var path: [AudioGraph.Node] = []
  private let graph: AudioGraph

  /// Orders a graph and checks it as a whole.
  ///
  /// - Throws: `GraphError`.
  init(_ graph: AudioGraph) throws(GraphError) {
    self.graph = graph
    guard let head = graph.headPlace else { throw .noHead }
    for node in graph.openers { try visit(node) }
    try visit(head.node)
    for node in graph.nodes where try isTap(node) { try visit(node) }
    for node in graph.closers { try visit(node) }
    try checkUnits()
  }

  /// True if a node has a connected input but does not have outputs.
  private func isTap(_ node: AudioGraph.Node) throws(GraphError) -> Bool {
    let unit = try graph.unit(node)
    guard unit.outputChannelCounts.isEmpty, !graph.closers.contains(node) else { return false }
    return unit.inputChannelCounts.indices.contains { graph.source(of: node, input: $0) != nil }
  }

  private mutating func visit(_ node: AudioGraph.Node) throws(GraphError) {
    if done.contains(node) { return }
    let unit = try graph.unit(node)
    if let start = path.firstIndex(of: node) {
      throw .cycle(through: (path[start...] + [node]).map(graph.name))
    }
    path.append(node)
    for bus in unit.inputChannelCounts.indices {
      if let source = graph.source(of: node, input: bus) {
        try visit(source.node)
      } else if !unit.acceptsOpenInputs {
        throw .inputOpen(unit: unit.name, bus: bus)
      }
    }
    path.removeLast()
    done.insert(node)
    nodes.append(node)
  }

  /// Checks that each unit is at one node only, and that all units have the same sample rate.
  private func checkUnits() throws(GraphError) {
    var seen: Set<ObjectIdentifier> = []
    var first: (any ProcessingUnit)?
    for node in nodes {
      let unit = try graph.unit(node)
      guard seen.insert(ObjectIdentifier(unit)).inserted else { throw .unitTwice(unit.name) }
      guard let rate = unit.rate else { continue }
      guard let other = first, let otherRate = other.rate else {
        first = unit
        continue
      }
      guard rate == otherRate else {
        throw .rateMismatch(unit: unit.name, rate: rate, other: other.name, otherRate: otherRate)
      }
    }
  }
}
