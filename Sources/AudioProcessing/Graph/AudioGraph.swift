// SPDX-License-Identifier: Apache-2.0

/// Units and the connections between them, to be compiled into a plan.
///
/// An input bus hears one output bus; an output bus may be heard by several, since nobody writes
/// to what it hears. What is not connected hears silence.
///
/// - Note: Control side only.
public struct AudioGraph {
  /// A unit's place in a graph.
  public struct Node: Hashable, Sendable {
    let index: Int
  }

  private struct Place: Hashable {
    let node: Int
    let bus: Int
  }

  private var units: [any ProcessingUnit] = []
  private var sources: [Place: Place] = [:]
  private var head: Place?

  /// Creates an empty graph.
  public init() {}

  /// Adds a unit.
  public mutating func add(_ unit: any ProcessingUnit) -> Node {
    units.append(unit)
    return Node(index: units.count - 1)
  }

  /// Lets an input bus hear an output bus.
  ///
  /// - Parameters:
  ///   - source: the unit that is heard.
  ///   - output: its output bus, counted from 0.
  ///   - target: the unit that hears.
  ///   - input: its input bus, counted from 0.
  /// - Throws: `GraphError` where a bus does not exist, is taken, or has other channels.
  public mutating func connect(
    _ source: Node, output: Int = 0, to target: Node, input: Int = 0
  ) throws(GraphError) {
    let sourceCount = try outputChannelCount(source, output)
    let unit = try unit(target)
    let counts = unit.inputChannelCounts
    guard counts.indices.contains(input) else {
      throw .noSuchInput(unit: unit.name, bus: input, count: counts.count)
    }
    guard counts[input] == sourceCount else {
      throw .channelMismatch(
        source: units[source.index].name, sourceCount: sourceCount,
        target: unit.name, targetCount: counts[input])
    }
    let place = Place(node: target.index, bus: input)
    guard sources[place] == nil else { throw .inputTaken(unit: unit.name, bus: input) }
    sources[place] = Place(node: source.index, bus: output)
  }

  /// Names the bus that goes to the output.
  ///
  /// - Throws: `GraphError` where it does not exist.
  public mutating func setHead(_ node: Node, output: Int = 0) throws(GraphError) {
    _ = try outputChannelCount(node, output)
    head = Place(node: node.index, bus: output)
  }

  /// Compiles the units that the head hears, and no others.
  ///
  /// - Throws: `GraphError.noHead`, `GraphError.cycle`.
  /// - Complexity: O(n) in the number of buses.
  public func compile() throws(GraphError) -> RenderPlan {
    guard let head else { throw .noHead }
    var order = Order()
    try visit(head.node, &order)
    var layout = Layout()
    for node in order.sorted {
      layout.addOutputs(of: node, units[node].outputChannelCounts)
    }
    var wirings: [RenderPlan.Wiring] = []
    for node in order.sorted {
      wirings.append(wiring(of: node, &layout))
    }
    return RenderPlan(
      wirings, busChannelCounts: layout.channelCounts, head: layout.number(of: head))
  }

  private func unit(_ node: Node) throws(GraphError) -> any ProcessingUnit {
    guard units.indices.contains(node.index) else { throw .noSuchNode(node.index) }
    return units[node.index]
  }

  private func outputChannelCount(_ node: Node, _ output: Int) throws(GraphError) -> Int {
    let unit = try unit(node)
    let counts = unit.outputChannelCounts
    guard counts.indices.contains(output) else {
      throw .noSuchOutput(unit: unit.name, bus: output, count: counts.count)
    }
    return counts[output]
  }

  /// The nodes in the order in which they must run, and those on the way to one.
  private struct Order {
    var sorted: [Int] = []
    var done: Set<Int> = []
    var path: [Int] = []
  }

  private func visit(_ node: Int, _ order: inout Order) throws(GraphError) {
    if order.done.contains(node) { return }
    if let start = order.path.firstIndex(of: node) {
      throw .cycle(through: (order.path[start...] + [node]).map { units[$0].name })
    }
    order.path.append(node)
    for bus in units[node].inputChannelCounts.indices {
      guard let source = sources[Place(node: node, bus: bus)] else { continue }
      try visit(source.node, &order)
    }
    order.path.removeLast()
    order.done.insert(node)
    order.sorted.append(node)
  }

  /// The buses of a plan: one for each output, and a silent one for each channel count.
  private struct Layout {
    var channelCounts: [Int] = []
    private var numbers: [Place: Int] = [:]
    private var silences: [Int: Int] = [:]

    mutating func addOutputs(of node: Int, _ counts: [Int]) {
      for (bus, count) in counts.enumerated() {
        numbers[Place(node: node, bus: bus)] = channelCounts.count
        channelCounts.append(count)
      }
    }

    func number(of place: Place) -> Int {
      guard let number = numbers[place] else { preconditionFailure("an output has a bus") }
      return number
    }

    mutating func silence(_ channelCount: Int) -> Int {
      if let number = silences[channelCount] { return number }
      channelCounts.append(channelCount)
      silences[channelCount] = channelCounts.count - 1
      return channelCounts.count - 1
    }
  }

  private func wiring(of node: Int, _ layout: inout Layout) -> RenderPlan.Wiring {
    let unit = units[node]
    var inputs: [Int] = []
    for (bus, count) in unit.inputChannelCounts.enumerated() {
      let source = sources[Place(node: node, bus: bus)]
      inputs.append(source.map(layout.number) ?? layout.silence(count))
    }
    let outputs = unit.outputChannelCounts.indices.map {
      layout.number(of: Place(node: node, bus: $0))
    }
    return RenderPlan.Wiring(unit: unit, inputs: inputs, outputs: outputs)
  }
}
