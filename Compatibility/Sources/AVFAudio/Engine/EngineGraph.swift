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
  }

  private struct Tapped {
    let unit: CaptureQueue
    let node: AudioGraph.Node
  }

  private let rate: SampleRate
  private var parts: [ObjectIdentifier: Part] = [:]
  private var taps: [ObjectIdentifier: Tapped] = [:]
  /// The last unit, if the node before it does not put out two channels.
  private let end: MixerUnit
  /// The converters of channels that can be used again, by the node and the input after them.
  private var converters: [AudioGraph.Node: [Int: AudioGraph.Node]] = [:]

  init(_ rate: SampleRate) {
    self.rate = rate
    end = MixerUnit(name: "output", channelCounts: [1], rate: rate)
  }

  func setLevels(_ model: EngineModel) {
    for node in model.nodes {
      guard let part = parts[ObjectIdentifier(node)] else { continue }
      node.setLevels(part.unit, model.sources(of: node))
    }
  }

  /// Makes the units and connections of a graph those of a model.
  mutating func wire(
    _ graph: inout AudioGraph, _ model: EngineModel, _ usual: AVAudioFormat
  ) throws(GraphError) {
    try placeUnits(&graph, model, usual)
    for part in parts.values {
      for input in part.unit.inputChannelCounts.indices {
        try graph.disconnect(part.node, input: input)
      }
    }
    let old = converters
    converters = [:]
    for link in model.links {
      guard let source = parts[ObjectIdentifier(link.source)],
        let target = parts[ObjectIdentifier(link.target)]
      else { continue }
      try connect(&graph, source, to: target, input: link.input, old)
    }
    try remove(&graph, old)
    try setHead(&graph, model)
    try placeTaps(&graph, model)
    setLevels(model)
  }

  private mutating func placeUnits(
    _ graph: inout AudioGraph, _ model: EngineModel, _ usual: AVAudioFormat
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
        Part(shape: shape, unit: unit, node: graph.add(unit))
      }
    }
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
    let link = model.links.first { $0.target is AVAudioOutputNode }
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
