// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What makes a line no request of the machine form.
struct VectorError: Error, CustomStringConvertible {
  let description: String
}

/// One request of the machine form: a value in a format, its context, and the format asked for.
struct VectorRequest {
  let id: JSONValue
  let source: String
  let value: JSONValue
  let context: VectorContext
  let target: String
  /// The name of the rounding; empty for none.
  let roundingName: String

  /// Reads a request from a JSON document.
  init(_ document: JSONValue) throws(VectorError) {
    id = document["id"] ?? .null
    guard let from = document["from"], let source = from["format"]?.string else {
      throw VectorError(description: "from.format is missing")
    }
    guard let target = document["to"]?["format"]?.string else {
      throw VectorError(description: "to.format is missing")
    }
    guard let value = from["value"] else { throw VectorError(description: "from.value is missing") }
    self.source = source
    self.target = target
    self.value = value
    context = VectorContext(members: from["context"] ?? .object([]))
    roundingName = document["rounding"]?.string ?? ""
  }

  /// The rounding; nil where nothing is rounded.
  var rounding: Rounding? { Rounding(rawValue: roundingName) }

  /// The value's text: a string, or the digits of a number.
  var text: String {
    get throws(VectorError) {
      guard let text = value.scalarText else { throw bad("value") }
      return text
    }
  }

  /// The value as an exact number.
  func number() throws -> Ratio { try Ratio(parsing: text) }

  /// The value as an integer.
  func integer() throws -> Int64 {
    let text = try text
    guard let integer = Int64(text) else { throw bad("value \(text)") }
    return integer
  }

  func bad(_ what: String) -> VectorError {
    VectorError(description: "\(what) is no \(source)")
  }

  var unknownPair: VectorError {
    VectorError(description: "there is no conversion from \(source) to \(target)")
  }
}

extension JSONValue {
  /// A member of an object; nil where there is none, or where this is no object.
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// A string, or the digits of a number.
  var scalarText: String? {
    switch self {
    case .text(let text), .decimal(let text): text
    case .integer(let integer): "\(integer)"
    default: nil
    }
  }

  /// A whole number, written as a number or a string.
  var wholeNumber: Int64? { scalarText.flatMap { Int64($0) } }

  /// The elements of an array; nil for anything else.
  var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}
