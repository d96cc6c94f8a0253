// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import CoreAudio
internal import MusicalTime

/// The graph of an engine that runs, and the frames that were rendered ahead.
final class EngineRendering {
  private struct Part {
    let shape: UnitShape
    let unit: any ProcessingUnit
    let node: AudioGraph.Node
  }

  private let rate: SampleRate
  private let usual: AVAudioFormat
  private var parts: [ObjectIdentifier: Part] = [:]
  private let plan: RenderPlan
  private let renderer: OfflineRenderer
  /// The output's last unit, if the node before it does not put out two channels.
  private let end: MixerUnit
  /// Interleaved frames of two channels that were rendered and not taken.
  private var ready: [Float] = []
  private(set) var position: Int64 = 0

  init(_ model: EngineModel, rate: SampleRate, usual: AVAudioFormat) throws {
    (self.rate, self.usual) = (rate, usual)
    var graph = AudioGraph()
    var parts: [ObjectIdentifier: Part] = [:]
    end = MixerUnit(name: "output", channelCounts: [1], rate: rate)
    try Self.wire(&graph, &parts, model, rate, usual, end)
    plan = try graph.compile()
    renderer = OfflineRenderer(plan: plan, rate: rate, clamps: false)
    self.parts = parts
  }

  /// Changes the graph while it is rendered.
  func edit(_ model: EngineModel) throws {
    var parts = parts
    try plan.edit { (graph: inout AudioGraph) throws(GraphError) in
      try Self.wire(&graph, &parts, model, rate, usual, end)
    }
    self.parts = parts
  }

  func setLevels(_ model: EngineModel) {
    for node in model.nodes {
      guard let part = parts[ObjectIdentifier(node)] else { continue }
      node.setLevels(part.unit, model.sources(of: node))
    }
  }

  /// Renders frames of two channels.
  func render(_ count: Int) throws -> [Float] {
    let missing = count - ready.count / 2
    if missing > 0 {
      let quantum = AudioFormat.quantum
      let whole = (missing + quantum - 1) / quantum * quantum
      let limit = SampleTime(frames: renderer.position.frames + Int64(whole))
      try renderer.render(
        upTo: limit, prepare: { _ in true },
        take: { samples in
          ready += samples.indices.map { samples[$0] }
        })
    }
    let samples = Array(ready.prefix(2 * count))
    ready.removeFirst(samples.count)
    position += Int64(samples.count / 2)
    return samples
  }

  /// Makes the units and connections of a graph those of a model.
  private static func wire(
    _ graph: inout AudioGraph, _ parts: inout [ObjectIdentifier: Part], _ model: EngineModel,
    _ rate: SampleRate, _ usual: AVAudioFormat, _ end: MixerUnit
  ) throws(GraphError) {
    try placeUnits(&graph, &parts, model, rate, usual)
    for part in parts.values {
      for input in part.unit.inputChannelCounts.indices {
        if let (old, _) = graph.source(of: part.node, input: input),
          graph.unit(at: old) is ChannelConverterUnit
        {
          try graph.remove(old)
        }
        try graph.disconnect(part.node, input: input)
      }
    }
    for link in model.links {
      guard let source = parts[ObjectIdentifier(link.source)],
        let target = parts[ObjectIdentifier(link.target)]
      else { continue }
      try connect(&graph, source, to: target, input: link.input, rate)
    }
    try setHead(&graph, parts, model, end)
  }

  /// Connects two units, through a converter if they have different numbers of channels.
  private static func connect(
    _ graph: inout AudioGraph, _ source: Part, to target: Part, input: Int, _ rate: SampleRate
  ) throws(GraphError) {
    let wanted = target.unit.inputChannelCounts
    guard let count = source.unit.outputChannelCounts.first, input < wanted.count else { return }
    guard count != wanted[input] else {
      return try graph.connect(source.node, to: target.node, input: input)
    }
    let converter = graph.add(ChannelConverterUnit(from: count, to: wanted[input], rate: rate))
    try graph.connect(source.node, to: converter)
    try graph.connect(converter, to: target.node, input: input)
  }

  private static func placeUnits(
    _ graph: inout AudioGraph, _ parts: inout [ObjectIdentifier: Part], _ model: EngineModel,
    _ rate: SampleRate, _ usual: AVAudioFormat
  ) throws(GraphError) {
    let known = Set(model.nodes.map { ObjectIdentifier($0) })
    for (id, part) in parts where !known.contains(id) {
      try graph.remove(part.node)
      parts[id] = nil
    }
    for node in model.nodes {
      let id = ObjectIdentifier(node)
      let shape = model.shape(of: node, rate, usual: usual)
      if parts[id]?.shape == shape { continue }
      if let old = parts[id] { try graph.remove(old.node) }
      parts[id] = node.makeUnit(shape).map { unit in
        node.setLevels(unit, model.sources(of: node))
        return Part(shape: shape, unit: unit, node: graph.add(unit))
      }
    }
  }

  private static func setHead(
    _ graph: inout AudioGraph, _ parts: [ObjectIdentifier: Part], _ model: EngineModel,
    _ end: MixerUnit
  ) throws(GraphError) {
    graph.removeHead()
    let link = model.links.first { $0.target is AVAudioOutputNode }
    let source = link.flatMap { parts[ObjectIdentifier($0.source)] }
    if let source, source.unit.outputChannelCounts == [2] { return try graph.setHead(source.node) }
    let node = graph.node(of: end) ?? graph.add(end)
    try graph.disconnect(node)
    if let source { try graph.connect(source.node, to: node) }
    try graph.setHead(node)
  }
}
