// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The machine form of `convert`: one JSON request a line in, one JSON answer a line out.
///
/// An answer that is an error counts as an answer; only a line that is no request makes the
/// status 3.
struct ConvertVectors: ~Copyable {
  private var output = OutputBuffer()
  private var status = ExitStatus.success

  /// Answers every line of standard input.
  static func run() throws -> ExitStatus {
    var vectors = ConvertVectors()
    var lines = InputLines()
    while let range = try lines.next() {
      let line = Array(lines.bytes[range])
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      try vectors.output.append(line: vectors.answer(line, number: lines.number).description)

    }
    try vectors.output.flush()
    return vectors.status
  }

  private mutating func answer(_ line: [UInt8], number: Int) -> JSONValue {
    do {
      let document = try JSONReader.read(line)
      return answer(document, number: number)
    } catch {
      return refusal(of: .null, "\(error)", number: number)
    }
  }

  private mutating func answer(_ document: JSONValue, number: Int) -> JSONValue {
    let id = document["id"] ?? .null
    do {
      let answer = try VectorRequest(document).answer()
      return .object([("id", id), ("value", answer.value), ("exact", .bool(answer.isExact))])
    } catch let error as TimeError {
      return .object([("id", id), ("error", .text(error.name))])
    } catch {
      return refusal(of: id, "\(error)", number: number)
    }
  }

  private mutating func refusal(of id: JSONValue, _ reason: String, number: Int) -> JSONValue {
    status = .partial
    Terminal.report("line \(number): \(reason)")
    return .object([("id", id), ("error", "bad-request"), ("message", .text(reason))])
  }
}
