// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Units and the connections between them, which are compiled into a `RenderPlan`.
///
/// An input bus is connected to at most one output bus. An output bus can be connected to several
/// inputs, because units do not write to their inputs. A graph is a value: changes to a copy take
/// effect only when `RenderPlan.edit` uses the copy.
///
/// - Note: Not real-time safe.
public struct AudioGraph {
  /// The identity of a unit in a graph and in copies of the graph.
  public struct Node: Hashable, Sendable {
    private let id: Int
    private static let counter = Atomic<Int>(0)

    fileprivate init() {
      id = Self.counter.add(1, ordering: .relaxed).newValue
    }
  }

  /// An output or input bus of a node, counted from 0.
  struct Place: Hashable {
    let node: Node
    let bus: Int
  }

  /// The nodes in the order in which they were added.
  public private(set) var nodes: [Node] = []
  private var units: [Node: any ProcessingUnit] = [:]
  /// The source of each connected input.
  private(set) var sources: [Place: Place] = [:]
  private(set) var headPlace: Place?
  private(set) var openers: [Node] = []
  private(set) var closers: [Node] = []

  /// Creates an empty graph.
  public init() {}

  /// Adds a unit.
  ///
  /// A unit without outputs, such as a tap, is rendered if one of its inputs is connected.
  public mutating func add(_ unit: any ProcessingUnit) -> Node {
    let node = Node()
    nodes.append(node)
    units[node] = unit
    return node
  }

  /// Adds a unit that is rendered before all other units.
  public mutating func addOpener(_ unit: any ProcessingUnit) -> Node {
    let node = add(unit)
    openers.append(node)
    return node
  }

  /// Adds a unit that is rendered after all other units.
  public mutating func addCloser(_ unit: any ProcessingUnit) -> Node {
    let node = add(unit)
    closers.append(node)
    return node
  }

  /// Returns the node of a unit, or nil if the unit is not in the graph.
  ///
  /// - Complexity: O(n) in the number of nodes.
  public func node(of unit: any ProcessingUnit) -> Node? {
    nodes.first { units[$0] === unit }
  }

  /// Inserts a unit after an output.
  ///
  /// All inputs that the output was connected to, and the head if the output was the head, are then
  /// connected to the unit.
  ///
  /// - Parameters:
  ///   - unit: the unit. Its first input and first output are connected.
  ///   - node: the node after which the unit is inserted.
  ///   - output: the output bus of that node, counted from 0.
  /// - Returns: The unit's node.
  /// - Throws: `GraphError` if a bus does not exist, or if the channel counts differ.
  /// - Complexity: O(n) in the number of connections.
  @discardableResult
  public mutating func insert(
    _ unit: any ProcessingUnit, behind node: Node, output: Int = 0
  ) throws(GraphError) -> Node {
    var graph = self
    let new = graph.add(unit)
    try graph.connect(node, output: output, to: new)
    let old = Place(node: node, bus: output)
    let place = Place(node: new, bus: 0)
    guard try graph.outputChannelCount(new, 0) == graph.outputChannelCount(node, output) else {
      throw .channelMismatch(
        source: unit.name, sourceCount: try graph.outputChannelCount(new, 0),
        target: name(of: node), targetCount: try graph.outputChannelCount(node, output))
    }
    for (input, source) in sources where source == old { graph.sources[input] = place }
    if headPlace == old { graph.headPlace = place }
    self = graph
    return new
  }

  /// Inserts a graph of effects after an output.
  ///
  /// All inputs that the output was connected to, and the head if the output was the head, are then
  /// connected to the head of the effects.
  ///
  /// - Parameters:
  ///   - effects: a graph whose nodes become nodes of this graph.
  ///   - inlet: the node of `effects` that supplies their input; the output takes its place.
  ///   - node: the node after which the effects are inserted.
  ///   - output: the output bus of that node, counted from 0.
  /// - Throws: `GraphError` if a bus or a head does not exist, if a node is already in this graph,
  ///   or if the channel counts differ.
  /// - Complexity: O(n) in the number of connections.
  public mutating func insert(
    _ effects: AudioGraph, inlet: Node, behind node: Node, output: Int = 0
  ) throws(GraphError) {
    guard let end = effects.headPlace else { throw .noHead }
    let count = try outputChannelCount(node, output)
    for place in [Place(node: inlet, bus: 0), end] {
      let other = try effects.outputChannelCount(place.node, place.bus)
      guard other == count else {
        throw .channelMismatch(
          source: effects.name(of: place.node), sourceCount: other, target: name(of: node),
          targetCount: count)
      }
    }
    var graph = self
    let old = Place(node: node, bus: output)
    let new = { (place: Place) in place.node == inlet ? old : place }
    for (input, source) in sources where source == old { graph.sources[input] = new(end) }
    if headPlace == old { graph.headPlace = new(end) }
    for node in effects.nodes where node != inlet {
      guard units[node] == nil else { throw .unitTwice(name(of: node)) }
      try graph.adopt(node, from: effects)
    }
    for (input, source) in effects.sources { graph.sources[input] = new(source) }
    self = graph
  }

  /// Removes a node and all its connections.
  ///
  /// - Throws: `GraphError.noSuchNode`.
  /// - Complexity: O(n) in the number of nodes and connections.
  public mutating func remove(_ node: Node) throws(GraphError) {
    guard units.removeValue(forKey: node) != nil else { throw .noSuchNode }
    nodes.removeAll { $0 == node }
    openers.removeAll { $0 == node }
    closers.removeAll { $0 == node }
    sources = sources.filter { $0.key.node != node && $0.value.node != node }
    if headPlace?.node == node { headPlace = nil }
  }

  /// Connects an output bus to an input bus.
  ///
  /// - Parameters:
  ///   - source: the node of the output.
  ///   - output: the output bus, counted from 0.
  ///   - target: the node of the input.
  ///   - input: the input bus, counted from 0.
  /// - Throws: `GraphError` if a bus does not exist, if the input is already connected, or if the
  ///   channel counts differ.
  public mutating func connect(
    _ source: Node, output: Int = 0, to target: Node, input: Int = 0
  ) throws(GraphError) {
    let sourceCount = try outputChannelCount(source, output)
    let targetCount = try inputChannelCount(target, input)
    let names = try (unit(source).name, unit(target).name)
    guard targetCount == sourceCount else {
      throw .channelMismatch(
        source: names.0, sourceCount: sourceCount, target: names.1, targetCount: targetCount)
    }
    let place = Place(node: target, bus: input)
    guard sources[place] == nil else { throw .inputTaken(unit: names.1, bus: input) }
    sources[place] = Place(node: source, bus: output)
  }

  /// Disconnects an input bus, which is then silent.
  ///
  /// - Throws: `GraphError` if the bus does not exist.
  public mutating func disconnect(_ target: Node, input: Int = 0) throws(GraphError) {
    _ = try inputChannelCount(target, input)
    sources[Place(node: target, bus: input)] = nil
  }

  /// Makes an output bus the head, which is the bus that goes to the output of the plan.
  ///
  /// - Throws: `GraphError` if the bus does not exist, or if the graph already has a head.
  public mutating func setHead(_ node: Node, output: Int = 0) throws(GraphError) {
    _ = try outputChannelCount(node, output)
    if let first = headPlace {
      throw .secondHead(unit: try unit(node).name, first: try unit(first.node).name)
    }
    headPlace = Place(node: node, bus: output)
  }

  /// Removes the head, so that another bus can become the head.
  public mutating func removeHead() {
    headPlace = nil
  }

  /// The node whose bus goes to the output; nil if the graph does not have a head.
  public var head: Node? { headPlace?.node }

  /// Returns the unit at a node.
  ///
  /// - Throws: `GraphError.noSuchNode`.
  public func unit(_ node: Node) throws(GraphError) -> any ProcessingUnit {
    guard let unit = units[node] else { throw .noSuchNode }
    return unit
  }

  /// Returns the unit at a node, or nil if the node is not in the graph.
  public func unit(at node: Node) -> (any ProcessingUnit)? { units[node] }

  /// The name of the unit at a node; empty if the node is not in the graph.
  func name(of node: Node) -> String { units[node]?.name ?? "" }

  /// Returns the output to which an input is connected, or nil if the input is not connected.
  public func source(of node: Node, input: Int = 0) -> (node: Node, output: Int)? {
    sources[Place(node: node, bus: input)].map { ($0.node, $0.bus) }
  }

  /// The number of frames for which the head can continue to sound after all sources are silent; 0
  /// without a head.
  ///
  /// The number applies to the longest path through the graph.
  ///
  /// - Complexity: O(n) in the number of buses.
  public var tail: Int {
    var tails: [Node: Int] = [:]
    return head.map { tail(of: $0, &tails) } ?? 0
  }

  private func tail(of node: Node, _ tails: inout [Node: Int]) -> Int {
    if let tail = tails[node] { return tail }
    // A feedback loop is found when the graph is compiled.
    tails[node] = 0
    guard let unit = units[node] else { return 0 }
    let heard = unit.inputChannelCounts.indices.compactMap { source(of: node, input: $0) }
    let tail = (heard.map { self.tail(of: $0.node, &tails) }.max() ?? 0) + unit.tail
    tails[node] = tail
    return tail
  }

  /// Compiles the graph into a plan that an output can render.
  ///
  /// The plan contains the units that contribute to the head or to a tap, the units added by
  /// `addOpener` and `addCloser`, and the sources of all of them.
  ///
  /// - Throws: `GraphError` if the graph does not have a head, if an input that must be connected
  ///   is open, if units have different sample rates, or if connections form a loop.
  /// - Complexity: O(n) in the number of buses.
  public func compile() throws(GraphError) -> RenderPlan {
    RenderPlan(try CompiledGraph(AlignedGraph(self)))
  }

  private func inputChannelCount(_ node: Node, _ input: Int) throws(GraphError) -> Int {
    let unit = try unit(node)
    let counts = unit.inputChannelCounts
    guard counts.indices.contains(input) else {
      throw .noSuchInput(unit: unit.name, bus: input, count: counts.count)
    }
    return counts[input]
  }

  func outputChannelCount(_ node: Node, _ output: Int) throws(GraphError) -> Int {
    let unit = try unit(node)
    let counts = unit.outputChannelCounts
    guard counts.indices.contains(output) else {
      throw .noSuchOutput(unit: unit.name, bus: output, count: counts.count)
    }
    return counts[output]
  }
}

// Changes for transitions.
extension AudioGraph {
  /// Adds a node of another graph.
  mutating func adopt(_ node: Node, from other: AudioGraph) throws(GraphError) {
    guard units[node] == nil else { return }
    units[node] = try other.unit(node)
    nodes.append(node)
    if other.openers.contains(node) { openers.append(node) }
    if other.closers.contains(node) { closers.append(node) }
  }

  /// Connects an input to an output, in place of its current connection; nil disconnects it.
  mutating func rewire(_ place: Place, to source: Place?) {
    sources[place] = source
  }

  /// Makes an output the head, in place of the current head.
  mutating func rewireHead(to place: Place) {
    headPlace = place
  }
}
