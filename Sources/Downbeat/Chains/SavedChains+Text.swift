// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import JSONText

extension SavedChains {
  /// The maximum number of groups, buses, or sends of one group in a document.
  private static let most = 1024

  /// The chains as a JSON document, with one line for each unit, connection, bus and group.
  public var text: String {
    let played: [(name: String, value: JSONValue)] =
      (instrument.map { [("instrument", $0.json)] } ?? [])
      + (buses.isEmpty ? [] : [("buses", .array(buses.map(\.json)))])
      + (groups.isEmpty ? [] : [("tracks", .array(groups.map(\.json)))])
    return SavedGraph.text(of: (effects ?? SavedGraph()).members + played)
  }

  /// Reads chains from a JSON document.
  ///
  /// - Parameter bytes: The document, in UTF-8.
  /// - Throws: `GraphError.badDocument`, with the path of the faulty value in the document.
  /// - Complexity: O(n) in the number of bytes.
  public init(_ bytes: [UInt8]) throws(GraphError) {
    self.init()
    let document = try GraphDocument(bytes)
    try document.holdsOnly(
      "v", "type", "units", "connections", "head", "instrument", "buses", "tracks")
    let whole = try SavedGraph(document)
    effects = whole == SavedGraph() ? nil : whole
    if !document["instrument"].isNull { instrument = try SavedGraph.Unit(document["instrument"]) }
    for bus in try Self.list(document["buses"]) {
      try bus.holdsOnly("name", "units", "connections", "head")
      let name = try bus["name"].string()
      guard !buses.contains(where: { $0.name == name }) else {
        throw bus["name"].error("\(name) is used twice")
      }
      buses.append(Bus(name, try SavedGraph(bus)))
    }
    for group in try Self.list(document["tracks"]) {
      groups.append(try Group(group, buses.map(\.name)))
    }
    let heard = Set(groups.flatMap(\.sends).map(\.bus))
    if let idle = buses.firstIndex(where: { !heard.contains($0.name) }) {
      throw .badDocument(path: "buses[\(idle)]", reason: "nothing is sent to this bus")
    }
  }

  /// The elements of an optional list: empty if it is missing.
  fileprivate static func list(_ document: GraphDocument) throws(GraphError) -> [GraphDocument] {
    guard !document.isNull else { return [] }
    let elements = try document.elements()
    guard elements.count <= most else { throw document.error("more than \(most) elements") }
    return elements
  }
}

extension SavedChains.Group {
  fileprivate var json: JSONValue {
    .object(
      [("tracks", .text(tracks))] + (instrument.map { [("instrument", $0.json)] } ?? [])
        + (effects?.members.map { ($0.name, $0.value) } ?? [])
        + (sends.isEmpty ? [] : [("sends", .array(sends.map(\.json)))]))
  }

  fileprivate init(_ document: GraphDocument, _ buses: [String]) throws(GraphError) {
    try document.holdsOnly("tracks", "instrument", "units", "connections", "head", "sends")
    self.init(try document["tracks"].string())
    if !document["instrument"].isNull { instrument = try SavedGraph.Unit(document["instrument"]) }
    if !document["units"].isNull { effects = try SavedGraph(document) }
    for send in try SavedChains.list(document["sends"]) {
      sends.append(try SavedChains.Send(send, buses))
    }
  }
}

extension SavedChains.Send {
  fileprivate var json: JSONValue {
    .object([("bus", .text(bus)), ("gain", .decimal("\(gain)"))])
  }

  fileprivate init(_ document: GraphDocument, _ buses: [String]) throws(GraphError) {
    try document.holdsOnly("bus", "gain")
    self.init(to: try document["bus"].string())
    guard buses.contains(bus) else { throw document["bus"].error("unknown bus \(bus)") }
    guard !document["gain"].isNull else { return }
    gain = Float(try document["gain"].number())
    guard (0...16).contains(gain) else { throw document["gain"].error("expected a number 0…16") }
  }
}

extension SavedChains.Bus {
  fileprivate var json: JSONValue {
    .object([("name", .text(name))] + effects.members.map { ($0.name, $0.value) })
  }
}
