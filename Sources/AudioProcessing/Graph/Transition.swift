// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The transition from one graph to another without a click.
///
/// Each input with a new source fades from the old source to the new one in 5 ms. If the two graphs
/// cannot be combined, because their connections form a loop or because a unit has moved to another
/// node, the old connections fade out first, and then the new ones fade in. A unit in both graphs
/// continues throughout.
struct Transition {
  /// The programs, in their order; the last is the new graph.
  let stages: [CompiledGraph]

  /// Plans the transition.
  ///
  /// - Throws: `GraphError`.
  init(from old: CompiledGraph, to new: CompiledGraph) throws(GraphError) {
    let (before, after) = (old.aligned.wired, new.aligned.wired)
    let frameCount = try Self.frameCount(after)
    let quantumCount = (frameCount + AudioFormat.quantum - 1) / AudioFormat.quantum
    let known = old.gauges.merging(new.gauges) { _, new in new }
    let compile = { (graph: AudioGraph) throws(GraphError) in
      try CompiledGraph(AlignedGraph(untouched: graph), lasting: quantumCount, gauges: known)
    }
    let changes = Self.changes(before, after)
    do {
      let crossing = try Self.crossing(
        before, after, changes + Self.beginnings(before, after), frameCount)
      stages = [try compile(crossing), new]
    } catch {
      let leaving = try Self.fading(before, changes, isLeaving: true, frameCount)
      let coming = try Self.fading(after, changes, isLeaving: false, frameCount)
      stages = [try compile(leaving), try compile(coming), new]
    }
  }

  /// An input (nil for the head) with its source before and after.
  private struct Change {
    let place: AudioGraph.Place?
    let old: AudioGraph.Place?
    let new: AudioGraph.Place?
  }

  /// The frames of a fade: 5 ms.
  static func frameCount(_ graph: AudioGraph) throws(GraphError) -> Int {
    for node in graph.nodes {
      if let rate = try graph.unit(node).rate { return Int(rate.hertz) / 200 }
    }
    return 240
  }

  /// The differences at nodes that are in both graphs.
  private static func changes(_ old: AudioGraph, _ new: AudioGraph) -> [Change] {
    let stays = Set(old.nodes).intersection(new.nodes)
    let places = Set(old.sources.keys).union(new.sources.keys).filter { stays.contains($0.node) }
    var changes = places.compactMap { place in
      old.sources[place] == new.sources[place]
        ? nil : Change(place: place, old: old.sources[place], new: new.sources[place])
    }
    if old.headPlace != new.headPlace {
      changes.append(Change(place: nil, old: old.headPlace, new: new.headPlace))
    }
    return changes
  }

  /// The inputs of new units with latency whose sources stay.
  ///
  /// They fade in too, or their first output would arrive after the fade behind them has ended.
  private static func beginnings(
    _ old: AudioGraph, _ new: AudioGraph
  ) throws(GraphError) -> [Change] {
    let known = Set(old.nodes)
    var beginnings: [Change] = []
    for (place, source) in new.sources where !known.contains(place.node) {
      guard known.contains(source.node), try new.unit(place.node).latency > 0 else { continue }
      beginnings.append(Change(place: place, old: nil, new: source))
    }
    return beginnings
  }

  /// Both graphs in one, with a fade at each change.
  private static func crossing(
    _ old: AudioGraph, _ new: AudioGraph, _ changes: [Change], _ frameCount: Int
  ) throws(GraphError) -> AudioGraph {
    var graph = new
    for node in old.nodes where !new.nodes.contains(node) {
      try graph.adopt(node, from: old)
      for (place, source) in old.sources where place.node == node {
        graph.rewire(place, to: source)
      }
    }
    for change in changes {
      try insertFade(in: &graph, at: change.place, from: change.old, to: change.new, frameCount)
    }
    return graph
  }

  /// One of the graphs, with a fade from or to silence at each change.
  private static func fading(
    _ graph: AudioGraph, _ changes: [Change], isLeaving: Bool, _ frameCount: Int
  ) throws(GraphError) -> AudioGraph {
    var faded = graph
    for change in changes where (isLeaving ? change.old : change.new) != nil {
      try insertFade(
        in: &faded, at: change.place, from: isLeaving ? change.old : nil,
        to: isLeaving ? nil : change.new, frameCount)
    }
    return faded
  }

  private static func insertFade(
    in graph: inout AudioGraph, at place: AudioGraph.Place?, from old: AudioGraph.Place?,
    to new: AudioGraph.Place?, _ frameCount: Int
  ) throws(GraphError) {
    guard let either = old ?? new else { return }
    let channelCount = try graph.outputChannelCount(either.node, either.bus)
    let node = graph.add(FadeUnit(channelCount: channelCount, frameCount: frameCount))
    if let old { graph.rewire(AudioGraph.Place(node: node, bus: 0), to: old) }
    if let new { graph.rewire(AudioGraph.Place(node: node, bus: 1), to: new) }
    let fade = AudioGraph.Place(node: node, bus: 0)
    if let place {
      graph.rewire(place, to: fade)
    } else {
      graph.rewireHead(to: fade)
    }
  }
}
