// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

/// Answers requests for times: one JSON document a line in, one a line out.
///
/// An answer that is an error counts as an answer; only a line that is no request is told of.
package struct VectorSession {
  /// Why the line is no request; nil where it is one.
  package private(set) var refusal: String?

  /// Begins with nothing refused.
  package init() {}

  /// The answer to a line, on one line.
  package mutating func answer(_ line: [UInt8]) -> String {
    refusal = nil
    do {
      return answer(try JSONReader.read(line)).description
    } catch {
      return refuse(.null, "\(error)").description
    }
  }

  private mutating func answer(_ document: JSONValue) -> JSONValue {
    let id = document["id"] ?? .null
    do {
      let answer = try VectorRequest(document).answer()
      return .object([("id", id), ("value", answer.value), ("exact", .bool(answer.isExact))])
    } catch let error as TimeError {
      return .object([("id", id), ("error", .text(error.name))])
    } catch {
      return refuse(id, "\(error)")
    }
  }

  private mutating func refuse(_ id: JSONValue, _ reason: String) -> JSONValue {
    refusal = reason
    return .object([("id", id), ("error", "bad-request"), ("message", .text(reason))])
  }
}
