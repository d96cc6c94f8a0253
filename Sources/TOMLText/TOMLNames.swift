// SPDX-License-Identifier: Apache-2.0

/// The names that a TOML document has defined.
///
/// Source: TOML 1.0.0, Keys, Table and Inline Table.
struct TOMLNames {
  /// A table, as a node in the tree of names.
  struct Table {
    /// The document itself.
    static let root = Table(node: 0, path: [])

    fileprivate let node: Int
    /// The names from the outermost table to this one; empty for the document.
    let path: [String]
  }

  /// The reason why a name cannot be defined.
  struct Conflict: Error {
    let reason: String
  }

  /// The way in which a name was defined, which determines what can be added to it.
  private enum Kind {
    case value
    /// A table in braces, which cannot be extended after its end.
    case inlineTable
    /// The table of a header.
    case headed
    /// A table that is named only in the header of a table inside it, so that its header can still
    /// follow.
    case implied
    /// A table that is named in a dotted key.
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
  ///   - path: The names, starting with those of the table.
  ///   - table: The table.
  ///   - isTable: True if its value is a table in braces.
  /// - Returns: The new table, to which the keys in the braces are added.
  /// - Throws: `Conflict` if the name is already defined, or a part of it cannot be extended.
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
      // A table must be defined in one position, so a header is no longer allowed.
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
