// SPDX-License-Identifier: Apache-2.0

/// A graph with the same latency on all paths that meet.
///
/// If the inputs of a unit have different latencies, the earlier ones are delayed to the latest.
/// The outputs of live units are not delayed, and nothing waits for them. A graph without latency
/// is unchanged.
struct AlignedGraph {
  /// The original graph.
  let graph: AudioGraph
  /// The graph with delays.
  let wired: AudioGraph
  /// The nodes of `wired`, in the order of rendering.
  let order: [AudioGraph.Node]
  /// The latency at the head, in frames.
  let latency: Int
  /// The units whose latency can change, each with its latency when the graph was aligned.
  let promises: [(unit: any ProcessingUnit, latency: Int)]
  /// The node that delays each delayed output.
  private let alignments: [AudioGraph.Place: AudioGraph.Node]

  /// Wraps a graph that is already aligned, and that contains fades.
  ///
  /// - Throws: `GraphError`.
  init(untouched graph: AudioGraph) throws(GraphError) {
    self.graph = graph
    wired = graph
    order = try RenderOrder(graph).nodes
    (latency, promises, alignments) = (0, [], [:])
  }

  /// Aligns a graph.
  ///
  /// - Parameters:
  ///   - graph: the graph.
  ///   - previous: the graph that this one replaces. Its delays continue if possible.
  /// - Throws: `GraphError`.
  init(_ graph: AudioGraph, after previous: AlignedGraph? = nil) throws(GraphError) {
    self.graph = graph
    let order = try RenderOrder(graph).nodes
    let lateness = try Lateness(graph, order)
    latency = graph.head.map { lateness.ofOutputs[$0]?.frames ?? 0 } ?? 0
    var promises: [(unit: any ProcessingUnit, latency: Int)] = []
    for node in order {
      let unit = try graph.unit(node)
      if unit.latencyVaries { promises.append((unit, lateness.ofUnits[node] ?? 0)) }
    }
    self.promises = promises
    guard !lateness.delays.isEmpty else {
      (wired, alignments, self.order) = (graph, [:], order)
      return
    }
    var wired = graph
    var alignments: [AudioGraph.Place: AudioGraph.Node] = [:]
    for (source, inputs) in lateness.delays {
      let delays = Set(inputs.map(\.frames)).sorted()
      let node = try Self.node(delaying: source, by: delays, in: &wired, after: previous)
      alignments[source] = node
      wired.rewire(AudioGraph.Place(node: node, bus: 0), to: source)
      for input in inputs {
        let bus = delays.firstIndex(of: input.frames) ?? 0
        wired.rewire(input.place, to: AudioGraph.Place(node: node, bus: bus))
      }
    }
    self.wired = wired
    self.alignments = alignments
    self.order = try RenderOrder(wired).nodes
  }

  /// Adds the node that delays an output.
  ///
  /// If the previous graph has such a node with the same delays, it is reused. Otherwise a new node
  /// continues with its history, if the history is long enough.
  private static func node(
    delaying source: AudioGraph.Place, by delays: [Int], in wired: inout AudioGraph,
    after previous: AlignedGraph?
  ) throws(GraphError) -> AudioGraph.Node {
    let longest = delays.last ?? 0
    let channelCount = try wired.outputChannelCount(source.node, source.bus)
    var history: SoundHistory?
    if let previous, let node = previous.alignments[source],
      let old = try previous.wired.unit(node) as? AlignmentUnit
    {
      if old.delays == delays {
        try wired.adopt(node, from: previous.wired)
        return node
      }
      if old.history.longest >= longest { history = old.history }
    }
    let fadeFrames = previous == nil ? 0 : try Transition.frameCount(wired)
    return wired.add(
      AlignmentUnit(
        channelCount: channelCount, delays: delays,
        history: history
          ?? SoundHistory(channelCount: channelCount, longest: longest, fadeFrames: fadeFrames)))
  }
}

/// The latencies of the paths through a graph.
private struct Lateness {
  /// The latency of one output, and true if it is live.
  struct Output {
    let frames: Int
    let isLive: Bool
  }

  /// An input that needs a delay.
  struct Delay {
    let place: AudioGraph.Place
    let frames: Int
  }

  private(set) var ofOutputs: [AudioGraph.Node: Output] = [:]
  private(set) var ofUnits: [AudioGraph.Node: Int] = [:]
  /// The inputs that need a delay, by their source.
  private(set) var delays: [AudioGraph.Place: [Delay]] = [:]

  init(_ graph: AudioGraph, _ order: [AudioGraph.Node]) throws(GraphError) {
    for node in order {
      let unit = try graph.unit(node)
      let own = max(0, unit.latency)
      ofUnits[node] = own
      var heard: [(place: AudioGraph.Place, source: AudioGraph.Place, output: Output)] = []
      for bus in unit.inputChannelCounts.indices {
        let place = AudioGraph.Place(node: node, bus: bus)
        guard let source = graph.sources[place], let output = ofOutputs[source.node] else {
          continue
        }
        heard.append((place, source, output))
      }
      let waiting = heard.filter { !$0.output.isLive }
      let latest = (waiting.isEmpty ? heard : waiting).map(\.output.frames).max() ?? 0
      for one in waiting where one.output.frames < latest {
        delays[one.source, default: []].append(
          Delay(place: one.place, frames: latest - one.output.frames))
      }
      let isLive = unit.isLive || (waiting.isEmpty && !heard.isEmpty)
      ofOutputs[node] = Output(frames: latest + own, isLive: isLive)
    }
  }
}
