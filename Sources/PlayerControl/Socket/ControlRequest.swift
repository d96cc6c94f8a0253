// SPDX-License-Identifier: Apache-2.0
package import JSONText

/// A request of a client: `{"command": ["seek", "1:30"], "request_id": 1}`.
package struct ControlRequest {
  /// An invalid request: its identifier, and the reason.
  package struct Refusal: Error {
    package let id: Int
    package let reason: String
  }

  /// The identifier that the answer repeats; 0 if none is given.
  package let id: Int
  package let action: ControlAction

  /// Reads a line.
  ///
  /// - Throws: `Refusal` if the line is not a valid request.
  /// - Complexity: O(n) in the bytes, O(m²) in the members of an object.
  package init(_ line: [UInt8]) throws(Refusal) {
    let document: JSONValue
    do {
      document = try JSONReader.read(line)
    } catch {
      throw Refusal(id: 0, reason: "\(error)")
    }
    id = try Self.id(in: document)
    do {
      action = try Self.action(document["command"])
    } catch {
      throw Refusal(id: id, reason: error.description)
    }
  }

  private static func id(in document: JSONValue) throws(Refusal) -> Int {
    guard let value = document["request_id"] else { return 0 }
    guard case .decimal(let digits) = value, let id = Int(digits) else {
      throw Refusal(id: 0, reason: "request_id: must be a whole number")
    }
    return id
  }

  private static func action(_ command: JSONValue?) throws(ControlError) -> ControlAction {
    guard let words = command?.elements, let name = words.first?.string else {
      throw ControlError(
        .usage, #"command: must be an array of a command and its arguments: ["seek", "1:30"]"#)
    }
    return try action(name, Array(words.dropFirst()))
  }

  /// The request of a command with arguments.
  ///
  /// - Throws: `ControlError.Kind.usage` if the command or its arguments are not valid.
  package static func action(_ name: String, _ values: [JSONValue]) throws(ControlError)
    -> ControlAction
  {
    guard let verb = ControlVerb(name: name) else {
      throw ControlError(
        .usage, "unknown command '\(name)' (\(ForeignVerbs.advice(for: name)))")
    }
    return try verb.action(ControlWords(verb: name, usage: verb.help.usage, values: values))
  }
}
