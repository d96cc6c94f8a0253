// SPDX-License-Identifier: Apache-2.0

/// The names that a TOML document has defined, each once.
///
/// Source: TOML 1.0.0, Keys, Table and Inline Table.
struct TOMLNames {
  /// A table, as a place in the tree of names.
  struct Table {
    /// The document itself.
    static let root = Table(node: 0, path: [])

    fileprivate let node: Int
    /// Its names from the outermost; empty for the document.
    let path: [String]
  }

  /// Why a name cannot be defined.
  struct Conflict: Error {
    let reason: String
  }

  /// The way a name was defined; it decides what may be added to the name.
  private enum Kind {
    case value
    /// A table in braces: complete at its end.
    case inlineTable
    /// The table of a header.
    case headed
    /// A table named only in the header of a table inside it; it may still get a header.
    case implied
    /// A table that a dotted key has named.
    case dotted
  }

  private struct Edge: Hashable {
    let node: Int
    let name: String
  }

  private var kinds: [Kind] = [.headed]
  private var nodes: [Edge: Int] = [:]

  static func shown(_ path: [String]) -> String { path.joined(separator: ".") }

  /// Defines the table of a header.
  mutating func open(_ path: [String]) throws(Conflict) -> Table {
    var node = 0
    for (place, name) in path.dropLast().enumerated() {
      node = try step(from: node, name, named: path.prefix(place + 1), otherwise: .implied)
    }
    let edge = Edge(node: node, name: path.last ?? "")
    guard let known = nodes[edge] else {
      return Table(node: insert(edge, .headed), path: path)
    }
    guard kinds[known] == .implied else {
      throw Conflict(reason: "\(Self.shown(path)) is defined twice (delete or rename one)")
    }
    kinds[known] = .headed
    return Table(node: known, path: path)
  }

  /// Defines a key of a table.
  ///
  /// - Parameters:
  ///   - path: its names, the table's first.
  ///   - table: the table.
  ///   - isTable: whether its value is a table in braces.
  /// - Returns: its place, to which the keys in the braces can be added.
  /// - Throws: `Conflict` if the name is defined already, or a part of it cannot be added to.
  mutating func add(
    _ path: [String], to table: Table, isTable: Bool
  ) throws(Conflict) -> Table {
    var node = table.node
    for place in table.path.count..<path.count - 1 {
      node = try step(from: node, path[place], named: path.prefix(place + 1), otherwise: .dotted)
      guard kinds[node] != .headed else {
        throw Conflict(
          reason: "\(Self.shown(Array(path.prefix(place + 1)))) is defined by a header"
            + " (write this key below [\(Self.shown(Array(path.prefix(place + 1))))])")
      }
      // It can no longer get a header: a table is defined in one place.
      if kinds[node] == .implied { kinds[node] = .dotted }
    }
    let edge = Edge(node: node, name: path.last ?? "")
    guard nodes[edge] == nil else {
      throw Conflict(reason: "\(Self.shown(path)) is defined twice (delete or rename one)")
    }
    return Table(node: insert(edge, isTable ? .inlineTable : .value), path: path)
  }

  private mutating func step(
    from node: Int, _ name: String, named path: ArraySlice<String>, otherwise kind: Kind
  ) throws(Conflict) -> Int {
    let edge = Edge(node: node, name: name)
    guard let known = nodes[edge] else { return insert(edge, kind) }
    switch kinds[known] {
    case .value:
      throw Conflict(reason: "\(Self.shown(Array(path))) has a value, so it cannot be a table")
    case .inlineTable:
      throw Conflict(
        reason: "\(Self.shown(Array(path))) is an inline table (write all of its keys in its { })")
    case .headed, .implied, .dotted: return known
    }
  }

  private mutating func insert(_ edge: Edge, _ kind: Kind) -> Int {
    kinds.append(kind)
    nodes[edge] = kinds.count - 1
    return kinds.count - 1
  }
}
