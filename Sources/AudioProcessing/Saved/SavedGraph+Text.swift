// SPDX-License-Identifier: Apache-2.0
package import JSONText

extension SavedGraph {
  /// The maximum number of units in a document.
  static let mostUnits = 1024

  /// The graph as a JSON document, with one line for each unit and connection.
  public var text: String { Self.text(of: members) }

  /// Parses a JSON document.
  ///
  /// - Parameter bytes: the document, in UTF-8.
  /// - Throws: `GraphError.badDocument`, with the path of the fault in the document.
  /// - Complexity: O(n) in the number of bytes.
  public init(_ bytes: [UInt8]) throws(GraphError) {
    let document = try GraphDocument(bytes)
    try document.holdsOnly("v", "type", "units", "connections", "head")
    try self.init(document)
  }

  /// Reads the units, connections and head from an object, which may have other members.
  package init(_ document: GraphDocument) throws(GraphError) {
    self.init()
    let list = try document["units"].elements()
    guard list.count <= Self.mostUnits else {
      throw document["units"].error("more than \(Self.mostUnits) units")
    }
    for unit in list { units.append(try Unit(unit)) }
    for item in try document["connections"].elements() {
      connections.append(try Connection(item))
    }
    guard !document["head"].isNull else { return }
    let end = document["head"]
    try end.holdsOnly("unit", "output")
    head = Place(try end["unit"].string(), try end["output"].whole(default: 0))
  }

  /// The members of the JSON object: units, connections and head.
  package var members: [(name: String, value: JSONValue)] {
    let end = head.map { head in
      JSONValue.object([("unit", .text(head.unit)), ("output", .integer(head.bus))])
    }
    return [
      ("units", .array(units.map(\.json))), ("connections", .array(connections.map(\.json))),
      ("head", end ?? .null),
    ]
  }

  /// Returns a document with these members, with one line for each element of a list.
  package static func text(of members: [(name: String, value: JSONValue)]) -> String {
    let parts = members.map { name, value in
      guard let items = value.elements else { return "  \"\(name)\": \(value)" }
      let lines = items.dropLast().map { "    \($0)," } + items.suffix(1).map { "    \($0)" }
      return (["  \"\(name)\": ["] + lines + ["  ]"]).joined(separator: "\n")
    }
    return "{\n"
      + (["  \"v\": 1, \"type\": \"saved-graph\""] + parts).joined(separator: ",\n") + "\n}\n"
  }
}

extension SavedGraph.Unit {
  /// The unit as a JSON object.
  package var json: JSONValue {
    .object([
      ("id", .text(id)), ("name", .text(name)), ("kind", .text(setup.kind)),
      ("setup", .object(setup.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })),
      (
        "parameters",
        .object(parameters.sorted { $0.key < $1.key }.map { ($0.key, .decimal("\($0.value)")) })
      ),
    ])
  }

  /// Reads a unit from a JSON object.
  package init(_ document: GraphDocument) throws(GraphError) {
    try document.holdsOnly("id", "name", "kind", "setup", "parameters")
    let id = try document["id"].string()
    var values: [String: UnitSetup.Value] = [:]
    for (name, value) in try document["setup"].members() { values[name] = try value.setupValue() }
    var parameters: [String: Float] = [:]
    for (name, value) in try document["parameters"].members() {
      parameters[name] = Float(try value.number())
    }
    self.init(
      id, name: document["name"].isNull ? nil : try document["name"].string(),
      UnitSetup(try document["kind"].string(), values), parameters: parameters)
  }
}

extension UnitSetup.Value {
  fileprivate var json: JSONValue {
    switch self {
    case .count(let count): .integer(count)
    case .number(let number): .decimal("\(number)")
    case .word(let word): .text(word)
    case .counts(let counts): .array(counts.map { .integer($0) })
    case .words(let words): .array(words.map { .text($0) })
    }
  }
}

extension SavedGraph.Connection {
  fileprivate var json: JSONValue {
    .object([
      ("from", .text(source.unit)), ("output", .integer(source.bus)), ("to", .text(target.unit)),
      ("input", .integer(target.bus)),
    ])
  }

  fileprivate init(_ document: GraphDocument) throws(GraphError) {
    try document.holdsOnly("from", "output", "to", "input")
    self.init(
      from: SavedGraph.Place(
        try document["from"].string(), try document["output"].whole(default: 0)),
      to: SavedGraph.Place(try document["to"].string(), try document["input"].whole(default: 0)))
  }
}
