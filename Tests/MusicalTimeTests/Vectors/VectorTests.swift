// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Every answer of an independent reference (integers, fractions and 60-digit decimals).
@Suite struct VectorTests {
  /// Vectors whose `exact` contradicts the file's own definition of it.
  ///
  /// The target equals the source with nothing rounded: a day of 86 400 s is no whole number of
  /// frames at the 1001 rates, and 999 875 000 ns are 7999/8000 s. Their values stand.
  private static let contradicted: Set = [
    "ns-samples-002", "ns-samples-003", "ns-samples-011", "ns-samples-012", "seconds-smpte-001",
    "seconds-smpte-005", "seconds-smpte-009", "seconds-smpte-011", "seconds-smpte-017",
    "seconds-smpte-023", "seconds-smpte-025", "seconds-smpte-033", "seconds-smpte-041",
    "tempo-10k-052",
  ]

  @Test(arguments: Vector.groups.keys.sorted())
  func `every vector of the group is answered`(_ group: String) throws {
    let vectors = try #require(Vector.groups[group])
    for vector in vectors { try check(vector) }
  }

  @Test func `the fixture is whole`() {
    #expect(Vector.groups.count == 41)
    #expect(Vector.groups.values.reduce(0) { $0 + $1.count } == 1853)
  }

  private func check(_ vector: Vector) throws {
    if let tolerance = vector.tolerance { return try check(vector, within: tolerance) }
    do {
      let answer = try answer(vector)
      let isContradicted = Self.contradicted.contains(vector.id)
      let expected = Answer(vector.to.value, exact: vector.exact != isContradicted)
      #expect(answer == expected, "\(vector.id)")
    } catch let error as TimeError {
      #expect(
        vector.to.format == "error" && vector.to.value.text == error.name, "\(vector.id): \(error)")
    }
  }

  private func check(_ vector: Vector, within tolerance: Vector.Tolerance) throws {
    let value = try vector.rampValue()
    let expected = try #require(Double(vector.to.value.text))
    let bound = try #require(Double(tolerance.value))
    #expect(abs(value.approximation - expected) <= bound, "\(vector.id)")
    guard case .approximate = value else {
      Issue.record("\(vector.id) is not rational")
      return
    }
  }

  private func answer(_ vector: Vector) throws -> Answer {
    switch vector.group {
    case "rate-constants": return try vector.rateAnswer()
    case "smf-division" where vector.from.format == "smf_division":
      return try vector.divisionAnswer()
    case "smf-smpte-offset": return try vector.offsetAnswer()
    case "text-proposal": return try vector.textAnswer()
    case "mtc": return try vector.mtcAnswer()
    case "tempo-unit": return try vector.tempoAnswer()
    case "host-anchor": return try vector.anchorAnswer()
    case "cmtime": return try vector.scaledAnswer()
    case "ramp":
      guard case .exact(let ratio) = try vector.rampValue() else { return Answer(.null) }
      return Answer(ratio)
    case "tempo-10k" where vector.to.format == "us_ticks":
      return Answer(try prefix(vector))
    case "bbt-midbar" where vector.from.format == "meter_map":
      let policy = MidBarPolicy(rawValue: try vector.required("mid_bar_policy").text)
      _ = try MeterMap(
        changes: Vector.meters(vector.from.value), policy: try #require(policy))
      return Answer(.null)
    case "smpte-invalid", "df-invalid": return Answer(try vector.timecode().frames)
    default: return try vector.positionAnswer()
    }
  }

  /// The running total at a change, in µs · ticks.
  private func prefix(_ vector: Vector) throws -> Converted<Int64> {
    let map = try vector.tempoMap
    let change = map.changes[try vector.from.value.integer()]
    return try (map.seconds(at: change.tick) * 960_000_000).rounded(.exact)
  }
}
