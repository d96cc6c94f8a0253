// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Units and the connections between them, to be compiled into a plan.
///
/// An input bus hears one output bus; an output bus may be heard by several inputs, since nobody
/// writes to what it hears. A graph is a value: a change to a copy of it is heard only when
/// `RenderPlan.edit` takes the copy.
///
/// - Note: Control side only.
public struct AudioGraph {
  /// A unit's place in a graph and in its copies.
  public struct Node: Hashable, Sendable {
    private let id: Int
    private static let counter = Atomic<Int>(0)

    fileprivate init() {
      id = Self.counter.add(1, ordering: .relaxed).newValue
    }
  }

  /// An output or an input of a node, counted from 0.
  struct Place: Hashable {
    let node: Node
    let bus: Int
  }

  /// The nodes in the order in which they were added.
  public private(set) var nodes: [Node] = []
  private var units: [Node: any ProcessingUnit] = [:]
  /// What each connected input hears.
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

  /// Adds a unit that is rendered before all others, to be notified of each quantum.
  public mutating func addOpener(_ unit: any ProcessingUnit) -> Node {
    let node = add(unit)
    openers.append(node)
    return node
  }

  /// Adds a unit that is rendered after all others, to be notified of each quantum.
  public mutating func addCloser(_ unit: any ProcessingUnit) -> Node {
    let node = add(unit)
    closers.append(node)
    return node
  }

  /// The node of a unit; nil where it is not in the graph.
  ///
  /// - Complexity: O(n) in the number of nodes.
  public func node(of unit: any ProcessingUnit) -> Node? {
    nodes.first { units[$0] === unit }
  }

  /// Puts a unit behind an output: whoever heard that, the head too, hears the unit's instead.
  ///
  /// - Parameters:
  ///   - unit: the unit, whose first input and first output are taken.
  ///   - node: whose output it is to hear.
  ///   - output: which of its outputs, counted from 0.
  /// - Returns: The unit's node.
  /// - Throws: `GraphError` where a bus does not exist, or the unit has another number of channels.
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

  /// Puts a graph of effects behind an output: whoever heard that, the head too, hears the effects'
  /// head instead.
  ///
  /// - Parameters:
  ///   - effects: a graph whose nodes become this graph's.
  ///   - inlet: its node that hears the output, in whose place the output is.
  ///   - node: whose output is to be heard.
  ///   - output: which of its outputs, counted from 0.
  /// - Throws: `GraphError` where there is no such bus or no head, one of the units stands in this
  ///   graph already, or the channels differ.
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

  /// Takes a node out, with all its connections.
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

  /// Connects an output bus to an input bus, which then hears it.
  ///
  /// - Parameters:
  ///   - source: the unit that is heard.
  ///   - output: its output bus, counted from 0.
  ///   - target: the unit that hears.
  ///   - input: its input bus, counted from 0.
  /// - Throws: `GraphError` where a bus does not exist, the input is taken, or the two differ in
  ///   channels.
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

  /// Disconnects an input bus, which then hears nothing.
  ///
  /// - Throws: `GraphError` where the bus does not exist.
  public mutating func disconnect(_ target: Node, input: Int = 0) throws(GraphError) {
    _ = try inputChannelCount(target, input)
    sources[Place(node: target, bus: input)] = nil
  }

  /// Names the bus that goes to the output.
  ///
  /// - Throws: `GraphError` where it does not exist, or there is a head already.
  public mutating func setHead(_ node: Node, output: Int = 0) throws(GraphError) {
    _ = try outputChannelCount(node, output)
    if let first = headPlace {
      throw .secondHead(unit: try unit(node).name, first: try unit(first.node).name)
    }
    headPlace = Place(node: node, bus: output)
  }

  /// Takes the head away, so that another can be named.
  public mutating func removeHead() {
    headPlace = nil
  }

  /// The node whose bus goes to the output.
  public var head: Node? { headPlace?.node }

  /// The unit at a node.
  ///
  /// - Throws: `GraphError.noSuchNode`.
  public func unit(_ node: Node) throws(GraphError) -> any ProcessingUnit {
    guard let unit = units[node] else { throw .noSuchNode }
    return unit
  }

  /// The unit at a node; nil where the node is not in the graph.
  public func unit(at node: Node) -> (any ProcessingUnit)? { units[node] }

  /// The name of the unit at a node, or nothing where the node is not in the graph.
  func name(of node: Node) -> String { units[node]?.name ?? "" }

  /// The node and output that an input hears, or nil.
  public func source(of node: Node, input: Int = 0) -> (node: Node, output: Int)? {
    sources[Place(node: node, bus: input)].map { ($0.node, $0.bus) }
  }

  /// The frames for which the head may sound on once all sources are silent, on the longest way; 0
  /// where there is no head.
  ///
  /// - Complexity: O(n) in the number of buses.
  public var tail: Int {
    var tails: [Node: Int] = [:]
    return head.map { tail(of: $0, &tails) } ?? 0
  }

  private func tail(of node: Node, _ tails: inout [Node: Int]) -> Int {
    if let tail = tails[node] { return tail }
    // What hears itself is found where the graph is compiled.
    tails[node] = 0
    guard let unit = units[node] else { return 0 }
    let heard = unit.inputChannelCounts.indices.compactMap { source(of: node, input: $0) }
    let tail = (heard.map { self.tail(of: $0.node, &tails) }.max() ?? 0) + unit.tail
    tails[node] = tail
    return tail
  }

  /// Compiles the units that the head and the taps hear, and no others.
  ///
  /// - Throws: `GraphError` where there is no head, an input is open that must not be, units are
  ///   made for different rates, or there is a circle.
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

// What transitions are made of.
extension AudioGraph {
  /// Takes over another graph's node.
  mutating func adopt(_ node: Node, from other: AudioGraph) throws(GraphError) {
    guard units[node] == nil else { return }
    units[node] = try other.unit(node)
    nodes.append(node)
    if other.openers.contains(node) { openers.append(node) }
    if other.closers.contains(node) { closers.append(node) }
  }

  /// Lets an input hear an output, whatever it heard.
  mutating func rewire(_ place: Place, to source: Place?) {
    sources[place] = source
  }

  /// Makes a place the head, whatever was.
  mutating func rewireHead(to place: Place) {
    headPlace = place
  }
}
