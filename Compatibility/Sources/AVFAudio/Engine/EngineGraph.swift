// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import MusicalTime

/// The units of an engine's nodes and their positions in a graph.
struct EngineGraph {
  private struct Part {
    let shape: UnitShape
    let unit: any ProcessingUnit
    let node: AudioGraph.Node
    /// The graph in front of a time effect; nil for other nodes.
    var section: Section?
  }

  /// The graph in front of a time effect.
  private struct Section {
    var graph: EngineGraph
    let unit: any TimeUnit
  }

  private struct Tapped {
    let unit: CaptureQueue
    let node: AudioGraph.Node
  }

  private let rate: SampleRate
  /// The time effect behind the graph; nil for the output.
  private let effect: AVAudioUnitTimeEffect?
  /// The reason why a time effect passes the sound on unchanged.
  private(set) var failure: (any Error)?
  private var parts: [ObjectIdentifier: Part] = [:]
  private var taps: [ObjectIdentifier: Tapped] = [:]
  /// The last unit, if the node before it does not put out two channels.
  private let end: MixerUnit
  /// The converters of channels that can be used again, by the node and the input after them.
  private var converters: [AudioGraph.Node: [Int: AudioGraph.Node]] = [:]

  init(_ rate: SampleRate, before effect: AVAudioUnitTimeEffect? = nil) {
    (self.rate, self.effect) = (rate, effect)
    end = MixerUnit(name: "output", channelCounts: [1], rate: rate)
  }

  func setLevels(_ model: EngineModel) {
    for node in model.nodes {
      guard let part = parts[ObjectIdentifier(node)] else { continue }
      node.setLevels(part.unit, model.sources(of: node))
      part.section?.graph.setLevels(model)
    }
  }

  /// The first frame that the unit of a time effect has not rendered of the nodes in front of it; nil
  /// if it does not have a unit.
  func position(before effect: AVAudioUnitTimeEffect) -> Int64? {
    if let section = parts[ObjectIdentifier(effect)]?.section {
      return section.unit.innerPosition.frames
    }
    return parts.values.lazy.compactMap { $0.section?.graph.position(before: effect) }.first
  }

  /// Makes the units and connections of a graph those of a model.
  mutating func wire(
    _ graph: inout AudioGraph, _ model: EngineModel, _ usual: AVAudioFormat
  ) throws(GraphError) {
    let own = model.section(before: effect)
    try placeUnits(&graph, own, model, usual)
    for part in parts.values {
      for input in part.unit.inputChannelCounts.indices {
        try graph.disconnect(part.node, input: input)
      }
    }
    let old = converters
    converters = [:]
    for link in own.links {
      guard let source = parts[ObjectIdentifier(link.source)],
        let target = parts[ObjectIdentifier(link.target)]
      else { continue }
      try connect(&graph, source, to: target, input: link.input, old)
    }
    try remove(&graph, old)
    try setHead(&graph, own)
    try placeTaps(&graph, own)
    setLevels(model)
  }

  private mutating func placeUnits(
    _ graph: inout AudioGraph, _ own: EngineModel, _ model: EngineModel, _ usual: AVAudioFormat
  ) throws(GraphError) {
    let known = Set(own.nodes.map { ObjectIdentifier($0) })
    for (id, part) in parts where !known.contains(id) {
      try graph.remove(part.node)
      parts[id] = nil
    }
    for node in own.nodes {
      let id = ObjectIdentifier(node)
      let shape = model.shape(of: node, rate, usual: usual)
      if parts[id]?.shape == shape {
        try wireSection(id, model, usual)
        continue
      }
      if let old = parts[id] { try graph.remove(old.node) }
      if let effect = node as? AVAudioUnitTimeEffect {
        let section = try makeSection(effect, model, usual)
        parts[id] = Part(
          shape: shape, unit: section.unit, node: graph.add(section.unit), section: section)
        continue
      }
      parts[id] = node.makeUnit(shape).map { unit in
        Part(shape: shape, unit: unit, node: graph.add(unit))
      }
    }
  }

  /// Creates the units in front of a time effect, and its own.
  private mutating func makeSection(
    _ effect: AVAudioUnitTimeEffect, _ model: EngineModel, _ usual: AVAudioFormat
  ) throws(GraphError) -> Section {
    var inner = EngineGraph(rate, before: effect)
    var graph = AudioGraph()
    try inner.wire(&graph, model, usual)
    failure = failure ?? inner.failure
    do {
      return Section(graph: inner, unit: try effect.makeUnit(of: graph, rate))
    } catch {
      failure = failure ?? error
      return Section(graph: inner, unit: try VarispeedUnit(graph, rate: rate))
    }
  }

  /// Changes the units in front of a time effect.
  private mutating func wireSection(
    _ id: ObjectIdentifier, _ model: EngineModel, _ usual: AVAudioFormat
  ) throws(GraphError) {
    guard var section = parts[id]?.section else { return }
    try section.unit.plan.edit { (graph: inout AudioGraph) throws(GraphError) in
      try section.graph.wire(&graph, model, usual)
    }
    failure = failure ?? section.graph.failure
    parts[id]?.section = section
  }

  /// Connects two units, through a converter if they have different numbers of channels.
  private mutating func connect(
    _ graph: inout AudioGraph, _ source: Part, to target: Part, input: Int,
    _ old: [AudioGraph.Node: [Int: AudioGraph.Node]]
  ) throws(GraphError) {
    let wanted = target.unit.inputChannelCounts
    guard let count = source.unit.outputChannelCounts.first, input < wanted.count else { return }
    guard count != wanted[input] else {
      return try graph.connect(source.node, to: target.node, input: input)
    }
    let node: AudioGraph.Node
    if let known = old[target.node]?[input], let unit = graph.unit(at: known),
      unit.inputChannelCounts == [count], unit.outputChannelCounts == [wanted[input]]
    {
      node = known
      try graph.disconnect(known)
    } else {
      node = graph.add(ChannelConverterUnit(from: count, to: wanted[input], rate: rate))
    }
    converters[target.node, default: [:]][input] = node
    try graph.connect(source.node, to: node)
    try graph.connect(node, to: target.node, input: input)
  }

  /// Removes the converters that are not used again.
  private func remove(
    _ graph: inout AudioGraph, _ old: [AudioGraph.Node: [Int: AudioGraph.Node]]
  ) throws(GraphError) {
    for (target, nodes) in old {
      for (input, node) in nodes where converters[target]?[input] != node {
        try graph.remove(node)
      }
    }
  }

  private func setHead(_ graph: inout AudioGraph, _ model: EngineModel) throws(GraphError) {
    graph.removeHead()
    let link = model.links.first { link in
      effect.map { link.target === $0 } ?? (link.target is AVAudioOutputNode)
    }
    let source = link.flatMap { parts[ObjectIdentifier($0.source)] }
    if let source, source.unit.outputChannelCounts == [2] { return try graph.setHead(source.node) }
    let node = graph.node(of: end) ?? graph.add(end)
    try graph.disconnect(node)
    if let source { try graph.connect(source.node, to: node) }
    try graph.setHead(node)
  }

  /// Connects the taps of all nodes.
  private mutating func placeTaps(
    _ graph: inout AudioGraph, _ model: EngineModel
  ) throws(GraphError) {
    var next: [ObjectIdentifier: Tapped] = [:]
    for node in model.nodes {
      for tap in node.taps {
        let part = parts[ObjectIdentifier(node)]?.node
        guard let source = node is AVAudioOutputNode ? graph.head : part,
          let count = graph.unit(at: source)?.outputChannelCounts.first
        else { continue }
        let id = ObjectIdentifier(tap)
        if let old = taps.removeValue(forKey: id) {
          if old.unit.inputChannelCounts == [count] {
            try graph.disconnect(old.node)
            try graph.connect(source, to: old.node)
            next[id] = old
            continue
          }
          try graph.remove(old.node)
        }
        let unit = tap.makeUnit(channelCount: count, rate: rate)
        let placed = Tapped(unit: unit, node: graph.add(unit))
        try graph.connect(source, to: placed.node)
        next[id] = placed
      }
    }
    for tap in taps.values { try graph.remove(tap.node) }
    taps = next
  }
}
