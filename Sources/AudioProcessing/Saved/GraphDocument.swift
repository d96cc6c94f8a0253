// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// A value of a document of a saved graph, with its place in it.
package struct GraphDocument {
  private let value: JSONValue?
  private let path: String

  /// Reads a document of a saved graph, and sees that it is one.
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

  /// A member of an object, which may not be there.
  package subscript(_ name: String) -> GraphDocument {
    GraphDocument(value?[name], path.isEmpty ? name : "\(path).\(name)")
  }

  /// Whether there is no value, or null.
  package var isNull: Bool {
    switch value {
    case nil, .null: true
    default: false
    }
  }

  /// What is wrong with it.
  package func error(_ reason: String) -> GraphError { .badDocument(path: path, reason: reason) }

  /// A text.
  package func string() throws(GraphError) -> String {
    guard let string = value?.string else { throw error("expected a string") }
    return string
  }

  /// A number of single precision.
  package func number() throws(GraphError) -> Double {
    guard case .decimal(let digits) = value, let number = Double(digits), Float(number).isFinite
    else { throw error("expected a number") }
    return number
  }

  /// A whole number, not below 0.
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

  /// The members of an object; none where there is no value.
  func members() throws(GraphError) -> [(name: String, value: GraphDocument)] {
    guard let value else { return [] }
    guard case .object(let members) = value else { throw error("expected an object") }
    return members.map { ($0.name, GraphDocument($0.value, "\(path).\($0.name)")) }
  }

  /// Refuses an object that has other members, and what is no object.
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
