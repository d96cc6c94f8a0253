// SPDX-License-Identifier: Apache-2.0

/// A graph in the form in which it is rendered: a list of steps, each after its sources.
///
/// The object owns the buffers between the units, and retains the units. It does not change after
/// creation, except for what the steps write.
@safe
final class CompiledGraph {
  /// The graph, with the delays that align its latencies.
  let aligned: AlignedGraph
  let channelCount: Int
  /// The measurements of each step, for the control side.
  let gauges: [AudioGraph.Node: UnitGauge]
  let program: UnsafeMutablePointer<RenderProgram>
  private let units: [any ProcessingUnit]
  private let steps: UnsafeMutablePointer<RenderProgram.Step>
  private let buses: UnsafeMutablePointer<Bus>
  private let memory: AudioBuffer

  /// Compiles a graph.
  ///
  /// - Parameters:
  ///   - aligned: the graph to render.
  ///   - quantumCount: the duration of a transition.
  ///   - known: the gauges of nodes that were rendered before.
  /// - Throws: `GraphError`.
  init(
    _ aligned: AlignedGraph, lasting quantumCount: Int = .max,
    gauges known: [AudioGraph.Node: UnitGauge] = [:]
  ) throws(GraphError) {
    self.aligned = aligned
    let graph = aligned.wired
    guard let head = graph.headPlace else { throw .noHead }
    let order = aligned.order
    var layout = Layout()
    var wirings: [Wiring] = []
    for node in order { layout.addOutputs(of: node, try graph.unit(node).outputChannelCounts) }
    for node in order { wirings.append(try layout.wiring(of: node, in: graph)) }
    channelCount = try graph.outputChannelCount(head.node, head.bus)
    units = wirings.map(\.unit)
    gauges = Dictionary(
      uniqueKeysWithValues: order.map { ($0, known[$0] ?? UnitGauge()) })
    memory = AudioBuffer(channelCount: max(1, layout.channelCounts.reduce(0, +)))
    let all = memory.bus.split(layout.channelCounts)
    unsafe buses = Self.allocate(wirings.flatMap { $0.inputs + $0.outputs }.map { all[$0] })
    unsafe steps = Self.allocate(
      Self.steps(wirings, order.compactMap { [gauges] in gauges[$0] }, buses, all))
    unsafe program = .allocate(capacity: 1)
    unsafe program.initialize(
      to: RenderProgram(
        steps: steps, stepCount: wirings.count, head: all[layout.number(of: head)],
        quantumCount: quantumCount))
  }

  deinit {
    unsafe program.deallocate()
    unsafe steps.deallocate()
    unsafe buses.deallocate()
  }

  /// The input and output buses of one step, by number.
  private struct Wiring {
    let unit: any ProcessingUnit
    let inputs: [Int]
    let outputs: [Int]
  }

  private static func allocate<Element: BitwiseCopyable>(
    _ elements: [Element]
  ) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() {
      unsafe (memory + index).initialize(to: element)
    }
    return unsafe memory
  }

  private static func steps(
    _ wirings: [Wiring], _ gauges: [UnitGauge], _ buses: UnsafePointer<Bus>, _ all: [Bus]
  ) -> [RenderProgram.Step] {
    var place = 0
    return zip(wirings, gauges).map { wiring, gauge in
      defer { place += wiring.inputs.count + wiring.outputs.count }
      let block = unsafe RenderBlock(
        buses: buses + place, inputCount: wiring.inputs.count, outputCount: wiring.outputs.count)
      return unsafe RenderProgram.Step(
        step: wiring.unit.step, block: block, gauge: gauge.pointer,
        output: wiring.outputs.first.map { unsafe all[$0].samples },
        outputChannelCount: wiring.outputs.reduce(0) { $0 + all[$1].channelCount })
    }
  }

  /// The buses of a program: the outputs of each unit in sequence, and one silent bus for each
  /// channel count.
  private struct Layout {
    var channelCounts: [Int] = []
    private var numbers: [AudioGraph.Place: Int] = [:]
    private var silences: [Int: Int] = [:]

    mutating func addOutputs(of node: AudioGraph.Node, _ counts: [Int]) {
      for (bus, count) in counts.enumerated() {
        numbers[AudioGraph.Place(node: node, bus: bus)] = channelCounts.count
        channelCounts.append(count)
      }
    }

    func number(of place: AudioGraph.Place) -> Int {
      guard let number = numbers[place] else {
        preconditionFailure("internal error: an output without a bus")
      }
      return number
    }

    private mutating func silence(_ channelCount: Int) -> Int {
      if let number = silences[channelCount] { return number }
      channelCounts.append(channelCount)
      silences[channelCount] = channelCounts.count - 1
      return channelCounts.count - 1
    }

    mutating func wiring(
      of node: AudioGraph.Node, in graph: AudioGraph
    ) throws(GraphError) -> Wiring {
      let unit = try graph.unit(node)
      var inputs: [Int] = []
      for (bus, count) in unit.inputChannelCounts.enumerated() {
        let source = graph.sources[AudioGraph.Place(node: node, bus: bus)]
        inputs.append(source.map(number) ?? silence(count))
      }
      let outputs = unit.outputChannelCounts.indices.map {
        number(of: AudioGraph.Place(node: node, bus: $0))
      }
      return Wiring(unit: unit, inputs: inputs, outputs: outputs)
    }
  }
}
