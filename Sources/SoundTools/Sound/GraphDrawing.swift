// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Downbeat
internal import JSONText

/// A processing graph as text, as a Graphviz description, and as JSON.
struct GraphDrawing {
  private struct Unit {
    let name: String
    let inputs: [Int]
    let outputs: [Int]
    let latency: Int
  }

  private struct Connection {
    let source: Int
    let output: Int
    let target: Int
    let input: Int
  }

  private var units: [Unit] = []
  private var connections: [Connection] = []
  private var head: Int?

  /// Creates the drawing of a graph.
  ///
  /// An instrument with separate effects is drawn as its inner graph.
  init(_ graph: AudioGraph) throws(GraphError) {
    var drawn = Self()
    let outputs = try drawn.add(graph)
    drawn.head = graph.head.flatMap { outputs[$0] }?.unit
    self = drawn
  }

  private init() {}

  /// The output of a unit in the drawing: the unit, and the number of its first output.
  private typealias Outlet = (unit: Int, output: Int)

  private mutating func add(_ graph: AudioGraph) throws(GraphError) -> [AudioGraph.Node: Outlet] {
    var outlets: [AudioGraph.Node: Outlet] = [:]
    for node in graph.nodes {
      let unit = try graph.unit(node)
      if let inside = Self.inside(of: unit), let head = inside.head,
        let outlet = try add(inside)[head]
      {
        outlets[node] = (outlet.unit, outlet.output + inside.headOutput)
      } else {
        outlets[node] = (units.count, 0)
        units.append(
          Unit(
            name: unit.name, inputs: unit.inputChannelCounts, outputs: unit.outputChannelCounts,
            latency: unit.latency))
      }
    }
    for node in graph.nodes {
      guard let target = outlets[node] else { continue }
      for input in try graph.unit(node).inputChannelCounts.indices {
        guard let source = graph.source(of: node, input: input), let from = outlets[source.node]
        else { continue }
        connections.append(
          Connection(
            source: from.unit, output: from.output + source.output, target: target.unit,
            input: input))
      }
    }
    return outlets
  }

  /// Returns the inner graph of an instrument with effects; nil for other units.
  private static func inside(of unit: any ProcessingUnit) -> AudioGraph? {
    let unit = (unit as? AheadUnit)?.source ?? unit
    return (unit as? TrackInstrument)?.graph
  }

  /// The units from the head back to the sources.
  ///
  /// The inputs of each unit are indented below it.
  var lines: [String] {
    guard let head else { return [] }
    return lines(head, depth: 0, place: "head: ")
  }

  private func lines(_ number: Int, depth: Int, place: String) -> [String] {
    let unit = units[number]
    let late = unit.latency > 0 ? ", latency \(unit.latency) frames" : ""
    let line = String(repeating: "  ", count: depth) + place + label(number) + late
    return connections.filter { $0.target == number }.reduce(into: [line]) { lines, connection in
      let source = units[connection.source]
      let output = source.outputs.count > 1 ? " output \(connection.output + 1) of" : ""
      lines += self.lines(
        connection.source, depth: depth + 1,
        place: "\(connection.input + 1):\(output) ")
    }
  }

  /// A description for Graphviz.
  var dot: [String] {
    let nodes = units.indices.map { "  n\($0) [label=\"\(label($0))\"];" }
    let edges = connections.map { connection in
      "  n\(connection.source) -> n\(connection.target)"
        + " [taillabel=\"\(connection.output + 1)\", headlabel=\"\(connection.input + 1)\"];"
    }
    let end = head.map { ["  n\($0) -> output;"] } ?? []
    return ["digraph downbeat {", "  rankdir=LR;", "  node [shape=box];"] + nodes + edges + end
      + ["}"]
  }

  /// The JSON document of the graph.
  var json: JSONValue {
    .object([
      ("v", 1), ("type", "graph"), ("head", head.map { .integer($0) } ?? .null),
      (
        "units",
        .array(
          units.map { unit in
            .object([
              ("name", .text(unit.name)),
              ("inputs", .array(unit.inputs.map { .integer($0) })),
              ("outputs", .array(unit.outputs.map { .integer($0) })),
              ("latencyFrames", .integer(unit.latency)),
            ])
          })
      ),
      (
        "connections",
        .array(
          connections.map { connection in
            .object([
              ("from", .integer(connection.source)), ("output", .integer(connection.output)),
              ("to", .integer(connection.target)), ("input", .integer(connection.input)),
            ])
          })
      ),
    ])
  }

  /// Returns the name of a unit, with a number if several units have the same name.
  private func label(_ number: Int) -> String {
    let name = units[number].name
    let alike = units.indices.filter { units[$0].name == name }
    guard alike.count > 1, let place = alike.firstIndex(of: number) else { return name }
    return "\(name) \(place + 1)"
  }
}
