// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Requests for times, one line of JSON each, compared with the answers of an independent
/// reference.
@Suite struct VectorTests {
  /// Vectors whose `exact` contradicts the fixture's definition of it.
  ///
  /// A day of 86 400 s is not a whole number of frames at the 1001 rates, and 999 875 000 ns are
  /// 7999/8000 s. Their values are right.
  private static let contradicted: Set = [
    "ns-samples-002", "ns-samples-003", "ns-samples-011", "ns-samples-012", "seconds-smpte-001",
    "seconds-smpte-005", "seconds-smpte-009", "seconds-smpte-011", "seconds-smpte-017",
    "seconds-smpte-023", "seconds-smpte-025", "seconds-smpte-033", "seconds-smpte-041",
    "tempo-10k-052",
  ]

  private typealias Object = [String: Any]

  private static let program = ToolRun.program("TestProbe")

  private func vectors() throws -> [Object] {
    let url = ToolRun.packageFolder.appendingPathComponent("Tests/Fixtures/time_vectors.json")
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    return try #require((document as? Object)?["vectors"] as? [Object])
  }

  /// A vector without its answer.
  private func request(_ vector: Object) throws -> Data {
    var request = vector.filter { ["id", "from", "rounding"].contains($0.key) }
    let target = try #require(vector["to"] as? Object)
    request["to"] = target.filter { $0.key == "format" }
    return try JSONSerialization.data(withJSONObject: request)
  }

  private func answers(to requests: [Data]) throws -> (run: ToolRun, answers: [Object]) {
    let input = Data(requests.joined(separator: Data([0x0A])))
    let run = try ToolRun(["vectors"], input: input, command: Self.program)
    let answers = try run.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
    }
    return (run, answers)
  }

  @Test func `one process answers every vector of the reference`() throws {
    let vectors = try vectors()
    #expect(vectors.count == 1853)
    let (run, answers) = try answers(to: vectors.map(request))
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try #require(answers.count == vectors.count)
    for (vector, answer) in zip(vectors, answers) { try compare(answer, vector) }
  }

  private func compare(_ answer: Object, _ vector: Object) throws {
    let id = try #require(vector["id"] as? String)
    let target = try #require(vector["to"] as? Object)
    #expect(answer["id"] as? String == id)
    if target["format"] as? String == "error" {
      #expect(Set(answer.keys) == ["id", "error"], "\(id)")
      #expect(answer["error"] as? String == target["value"] as? String, "\(id)")
      return
    }
    #expect(Set(answer.keys) == ["id", "value", "exact"], "\(id)")
    let flag = try #require(vector["exact"] as? Bool)
    #expect(answer["exact"] as? Bool == (flag != Self.contradicted.contains(id)), "\(id)")
    if let tolerance = vector["tolerance"] as? Object {
      let bound = try #require((tolerance["value"] as? String).flatMap(Double.init))
      let value = try #require((answer["value"] as? String).flatMap(Double.init))
      let expected = try #require((target["value"] as? String).flatMap(Double.init))
      #expect(abs(value - expected) <= bound, "\(id)")
    } else {
      let value = try #require(answer["value"] as? NSObject)
      #expect(value == target["value"] as? NSObject, "\(id): \(value)")
    }
  }

  @Test func `a line that is not a request gets an error, and the others are answered`() throws {
    let good = #"{"id":"a","from":{"format":"seconds","value":"1"},"to":{"format":"ns"}}"#
    let lines = [
      good, "{", #"{"id":"b"}"#, "",
      #"{"id":"c","from":{"format":"x","value":1},"to":{"format":"ns"}}"#,
      #"{"id":"d","id":"d"}"#, good,
    ]
    let (run, answers) = try answers(to: lines.map { Data($0.utf8) })
    #expect(run.status == 3)
    #expect(answers.count == 6)
    #expect(answers.filter { $0["error"] as? String == "bad-request" }.count == 4)
    #expect(answers.filter { $0["value"] as? String == "1000000000" }.count == 2)
    for line in [2, 3, 5, 6] { #expect(run.errors.contains("line \(line): "), "\(line)") }
  }

  @Test func `numbers and strings are read, and escapes in an id are returned`() throws {
    let line =
      #"{"id":"é\n\"\u00e9\ud83c\udfb5","from":{"format":"samples","value":24000,"context":{"sample_rate":48000}},"to":{"format":"seconds"}}"#
    let (run, answers) = try answers(to: [Data(line.utf8)])
    #expect(run.status == 0)
    #expect(answers.first?["id"] as? String == "é\n\"é🎵")
    #expect(answers.first?["value"] as? String == "1/2")
  }

  @Test(arguments: [
    ("text", "9999999999999999999999s", "ns", "overflow"),
    ("smpte", "00:00:00:25", "smpte", "field-out-of-range"),
    ("smpte", "01:02:03;04", "frames", "drop-separator-at-non-drop-rate"),
    ("seconds", "1/0", "ns", "zero-denominator"), ("bpm", "0", "us_per_quarter", "bad-tempo"),
    ("seconds", "x", "ns", "malformed"), ("seconds", "1/7", "bbt", "inexact"),
  ])
  func `an unanswerable question has a named error`(
    format: String, value: String, target: String, name: String
  ) throws {
    let request: Object = [
      "id": 1, "to": ["format": target],
      "from": ["format": format, "value": value, "context": ["smpte_rate": "25"]],
    ]
    let data = try JSONSerialization.data(withJSONObject: request)
    let (run, answers) = try answers(to: [data])
    #expect(run.status == 0)
    #expect(answers.first?["error"] as? String == name)
  }
}
