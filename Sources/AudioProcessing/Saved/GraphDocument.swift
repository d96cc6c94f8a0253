// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// A value in the document of a saved graph, with its path.
package struct GraphDocument {
  private let value: JSONValue?
  private let path: String

  /// Parses the document of a saved graph, and checks its type and version.
  ///
  /// - Throws: `GraphError.badDocument`.
  package init(_ bytes: [UInt8]) throws(GraphError) {
    do { self.init(try JSONReader.read(bytes), "") } catch {
      throw .badDocument(path: "", reason: error.description)
    }
    guard case .object = value else { throw self.error("expected an object") }
    guard try self["type"].string() == "saved-graph" else {
      throw self["type"].error("expected \"saved-graph\"")
    }
    guard try self["v"].whole() == 1 else {
      throw self["v"].error("expected 1 (a later version of Downbeat wrote this file)")
    }
  }

  private init(_ value: JSONValue?, _ path: String) {
    self.value = value
    self.path = path
  }

  /// The member of an object with a name; it may be absent.
  package subscript(_ name: String) -> GraphDocument {
    GraphDocument(value?[name], path.isEmpty ? name : "\(path).\(name)")
  }

  /// True if the value is absent or null.
  package var isNull: Bool {
    switch value {
    case nil, .null: true
    default: false
    }
  }

  /// Returns an error with the path of this value.
  package func error(_ reason: String) -> GraphError { .badDocument(path: path, reason: reason) }

  /// The value as a string.
  package func string() throws(GraphError) -> String {
    guard let string = value?.string else { throw error("expected a string") }
    return string
  }

  /// The value as a finite number in the range of `Float`.
  package func number() throws(GraphError) -> Double {
    guard case .decimal(let digits) = value, let number = Double(digits), Float(number).isFinite
    else { throw error("expected a number") }
    return number
  }

  /// The value as a whole number, 0 or more.
  func whole(default initial: Int? = nil) throws(GraphError) -> Int {
    if let initial, value == nil { return initial }
    guard case .decimal(let digits) = value, let number = Int(digits), number >= 0 else {
      throw error("expected a whole number")
    }
    return number
  }

  /// The elements of a list.
  package func elements() throws(GraphError) -> [GraphDocument] {
    guard let elements = value?.elements else { throw error("expected a list") }
    return elements.enumerated().map { GraphDocument($1, "\(path)[\($0)]") }
  }

  /// The members of an object; empty if the value is absent.
  func members() throws(GraphError) -> [(name: String, value: GraphDocument)] {
    guard let value else { return [] }
    guard case .object(let members) = value else { throw error("expected an object") }
    return members.map { ($0.name, GraphDocument($0.value, "\(path).\($0.name)")) }
  }

  /// Throws unless the value is an object with only the given members.
  package func holdsOnly(_ names: String...) throws(GraphError) {
    guard case .object(let members) = value else { throw error("expected an object") }
    guard let other = members.first(where: { !names.contains($0.name) }) else { return }
    throw self[other.name].error("unknown member (available: \(names.joined(separator: ", ")))")
  }

  func setupValue() throws(GraphError) -> UnitSetup.Value {
    if let string = value?.string { return .word(string) }
    if case .decimal(let digits) = value {
      if let count = Int(digits) { return .count(count) }
      return .number(try number())
    }
    let list = try elements()
    if list.first?.value?.string != nil {
      var words: [String] = []
      for item in list { words.append(try item.string()) }
      return .words(words)
    }
    var counts: [Int] = []
    for item in list { counts.append(try item.whole()) }
    return .counts(counts)
  }
}
