// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A graph as a value that can be stored in a file: the kinds and parameters of its units, the
/// connections and the head.
///
/// The text of a saved graph is a JSON document of type `saved-graph`
/// (`Documentation/schema/saved-graph.json`).
///
/// - Note: Not real-time safe.
public struct SavedGraph: Hashable, Sendable {
  /// A unit of the graph.
  public struct Unit: Hashable, Sendable {
    /// The identifier by which connections refer to the unit; unique in the graph.
    public var id: String
    /// The unit's name, for messages and tracks.
    public var name: String
    /// The kind and settings from which the unit is created.
    public var setup: UnitSetup
    /// The values of parameters, by name.
    ///
    /// Parameters that are not listed have their initial values.
    public var parameters: [String: Float]

    /// Creates a description of a unit.
    ///
    /// By default the name is the same as the identifier.
    public init(
      _ id: String, name: String? = nil, _ setup: UnitSetup, parameters: [String: Float] = [:]
    ) {
      self.id = id
      self.name = name ?? id
      self.setup = setup
      self.parameters = parameters
    }
  }

  /// An input or output bus of a unit, counted from 0.
  public struct Place: Hashable, Sendable {
    /// The identifier of the unit in the saved graph.
    public var unit: String
    /// The number of the input or output bus.
    public var bus: Int

    /// Refers to a bus of a unit.
    public init(_ unit: String, _ bus: Int = 0) {
      self.unit = unit
      self.bus = bus
    }
  }

  /// A connection from an output to an input.
  public struct Connection: Hashable, Sendable {
    /// The output bus from which the sound is taken.
    public var source: Place
    /// The input bus that receives the sound.
    public var target: Place

    /// Creates a connection from an output to an input.
    public init(from source: Place, to target: Place) {
      self.source = source
      self.target = target
    }
  }

  /// A restored graph, with the nodes of its units.
  public struct Restored {
    /// The restored graph.
    public let graph: AudioGraph
    /// The nodes, by the identifiers of their units.
    public let nodes: [String: AudioGraph.Node]

    /// The node of the inlet if the graph has exactly one inlet; otherwise nil.
    public var inlet: AudioGraph.Node? {
      let inlets = graph.nodes.filter { graph.unit(at: $0) is SubgraphUnit.Inlet }
      return inlets.count == 1 ? inlets[0] : nil
    }
  }

  /// The units.
  public var units: [Unit]
  /// The connections.
  public var connections: [Connection]
  /// The bus that goes to the output; nil if the graph does not have a head.
  public var head: Place?

  /// Creates a graph from its parts, which are not checked.
  public init(units: [Unit] = [], connections: [Connection] = [], head: Place? = nil) {
    self.units = units
    self.connections = connections
    self.head = head
  }

  /// Creates a saved graph from a graph.
  ///
  /// If a parameter is changing, the value at the end of the change is saved.
  ///
  /// - Throws: `GraphError.notSavable` if a unit cannot be saved.
  /// - Complexity: O(n) in the number of parameters and buses.
  public init(_ graph: AudioGraph) throws(GraphError) {
    self.init()
    var ids: [AudioGraph.Node: String] = [:]
    for node in graph.nodes {
      let unit = try graph.unit(node)
      guard let setup = (unit as? any SavableUnit)?.setup else { throw .notSavable(unit.name) }
      let id = Self.freeID(unit.name, among: ids.values)
      ids[node] = id
      units.append(Unit(id, name: unit.name, setup, parameters: Self.values(of: unit)))
    }
    for node in graph.nodes {
      for input in try graph.unit(node).inputChannelCounts.indices {
        guard let source = graph.source(of: node, input: input) else { continue }
        connections.append(
          Connection(
            from: Place(ids[source.node] ?? "", source.output), to: Place(ids[node] ?? "", input)))
      }
    }
    head = graph.headPlace.map { Place(ids[$0.node] ?? "", $0.bus) }
  }

  /// The name, followed by a number if it is already used.
  private static func freeID(_ name: String, among ids: some Collection<String>) -> String {
    guard ids.contains(name) else { return name }
    var number = 2
    while ids.contains("\(name) \(number)") { number += 1 }
    return "\(name) \(number)"
  }

  private static func values(of unit: any ProcessingUnit) -> [String: Float] {
    guard let set = (unit as? any ParametricUnit)?.parameters else { return [:] }
    let pairs = set.parameters.indices.map { (set.parameters[$0].name, set[$0]) }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Creates the units of the graph, and connects them.
  ///
  /// - Parameters:
  ///   - registry: the registry that creates the units.
  ///   - rate: the sample rate.
  /// - Returns: The graph and the nodes of the units.
  /// - Throws: `GraphError.badDocument`, with the path of the fault in the document.
  /// - Complexity: O(n) in the number of units and connections.
  public func restored(
    by registry: UnitRegistry = .standard, rate: SampleRate
  ) throws(GraphError) -> Restored {
    try Self.check(claimedBytes(rate: rate), path: "units")
    var graph = AudioGraph()
    var nodes: [String: AudioGraph.Node] = [:]
    for (index, unit) in units.enumerated() {
      guard nodes[unit.id] == nil else {
        throw .badDocument(path: "units[\(index)].id", reason: "\(unit.id) is used twice")
      }
      nodes[unit.id] = graph.add(try registry.make(unit, rate: rate, path: "units[\(index)]"))
    }
    for (index, connection) in connections.enumerated() {
      let path = "connections[\(index)]"
      let source = try Self.node(connection.source, nodes, "\(path).from")
      let target = try Self.node(connection.target, nodes, "\(path).to")
      do {
        try graph.connect(
          source, output: connection.source.bus, to: target, input: connection.target.bus)
      } catch { throw .badDocument(path: path, reason: error.description) }
    }
    if let head {
      let node = try Self.node(head, nodes, "head.unit")
      do { try graph.setHead(node, output: head.bus) } catch {
        throw .badDocument(path: "head", reason: error.description)
      }
    }
    return Restored(graph: graph, nodes: nodes)
  }

  private static func node(
    _ place: Place, _ nodes: [String: AudioGraph.Node], _ path: String
  ) throws(GraphError) -> AudioGraph.Node {
    guard let node = nodes[place.unit] else {
      throw .badDocument(path: path, reason: "unknown unit \(place.unit)")
    }
    return node
  }
}
