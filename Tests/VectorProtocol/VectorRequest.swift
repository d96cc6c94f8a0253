// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

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
