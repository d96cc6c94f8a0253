// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import TestSupport
import Testing

@Suite struct TimeExpressionErrorTests {
  private func error(_ text: String, as format: TimeFormat? = nil) -> TimeError? {
    do throws(TimeError) {
      _ = try TimeExpression(text, as: format)
      return nil
    } catch {
      return error
    }
  }

  @Test func `ambiguous text is refused with unambiguous spellings`() throws {
    guard case .ambiguous(_, let candidates) = error("12.3") else {
      Issue.record("12.3 is ambiguous")
      return
    }
    #expect(candidates == ["12.3s", "12.3b", "bbt:12.3"])
    for candidate in candidates { #expect(error(candidate) == nil, "\(candidate)") }
  }

  @Test func `a number without a unit is refused with spellings that have units`() throws {
    guard case .missingUnit(_, let candidates) = error("48000") else {
      Issue.record("48000 without a unit was accepted")
      return
    }
    #expect(candidates == ["48000s", "48000beats", "48000bars"])
    for candidate in candidates { #expect(error(candidate) == nil, "\(candidate)") }
  }

  @Test(arguments: [
    ("3m25", "missing-unit"), ("-5", "missing-unit"), ("1/3", "missing-unit"),
    ("-12.3", "ambiguous"), ("9:04:000", "ambiguous"), ("12|0|0", "beat-below-one"),
    ("12.0.0", "beat-below-one"), ("1:60:00", "field-out-of-range"),
    ("1:60", "field-out-of-range"), ("1h75m", "field-out-of-range"),
    ("2s1000ms", "field-out-of-range"), ("00:00:300:00", "field-out-of-range"),
    ("12|3|0/0", "field-out-of-range"), ("12|99999|0", "field-out-of-range"),
    ("1t@0", "field-out-of-range"), ("1@0", "field-out-of-range"),
    ("1@44.05", "field-out-of-range"),
    ("spp:16384", "field-out-of-range"), ("spp:-1", "field-out-of-range"),
    ("01:02:03;12@25", "drop-separator-at-non-drop-rate"), ("01:02:03:12@26", "unknown-rate"),
    ("5f@", "unknown-rate"), ("0bpm", "bad-tempo"), ("-1bpm", "bad-tempo"), ("0us/q", "bad-tempo"),
    ("1/0s", "zero-denominator"), ("99999999999999999999|1", "overflow"),
    ("999999999999999999:1", "overflow"), ("1\(String(repeating: "0", count: 40))s", "overflow"),
    ("", "malformed"), ("-", "malformed"), ("abc", "malformed"), ("xyz:12", "malformed"),
    ("12x", "malformed"), ("1:2:3:4:5", "malformed"), ("1;30", "malformed"), ("1:30.", "malformed"),
    ("1:30@25", "malformed"), ("5s@25", "malformed"), ("5b@25", "malformed"),
    ("12.3.1.60", "malformed"),
    ("1|2|3|4", "malformed"), ("1s2h", "malformed"), ("1s2s", "malformed"), ("12||3", "malformed"),
    ("1:", "malformed"), (":30", "malformed"), ("1e5s", "malformed"), ("0x10t", "malformed"),
    ("5 x", "malformed"), ("5 ", "malformed"), ("5s 3", "missing-unit"), ("tick:5s", "malformed"),
    ("bbt:5s", "malformed"), ("50%%", "malformed"),
    ("@", "malformed"), ("sec:", "malformed"), ("host:1:30", "malformed"),
    ("smpte:12", "malformed"), ("1/8.5", "malformed"), ("1/8.t", "malformed"),
    ("bar", "malformed"), ("bar 1 2", "malformed"), ("bar 1 beat", "malformed"),
    ("bar 1 beat 0", "beat-below-one"), ("bar 1 beat 65536", "field-out-of-range"),
    ("bar 9999999999", "overflow"), ("1.5bars", "malformed"), ("1b + bar 2", "malformed"),
    ("1b - -2bars", "malformed"), ("bar 1 beat 2 x", "malformed"),
    ("1s + ", "malformed"), ("1s + 5", "missing-unit"), ("1s +2s", "malformed"),
    ("0|0 + 1b", "beat-below-one"), ("1b + x", "malformed"),
  ])
  func `bad text is a typed error`(text: String, name: String) {
    #expect(error(text)?.name == name, "\(text): \(error(text).map { "\($0)" } ?? "no error")")
  }

  @Test func `an error contains the offset of the byte`() {
    guard case .malformed(_, let offset, _) = error("12x") else {
      Issue.record("12x is malformed")
      return
    }
    #expect(offset >= 2)
  }

  @Test func `the error of a time with a plus sign names the sign`() {
    guard case .malformed(_, 0, "expected a number without +") = error("+2s") else {
      Issue.record("\(error("+2s").map { "\($0)" } ?? "no error")")
      return
    }
  }

  @Test func `no bytes cause a trap`() {
    let alphabet = Array("0123456789|.:;@/-%smhtbfqnu \u{B5}kd".utf8)
    var random = SplitMix(seed: 3)
    for _ in 0..<20000 {
      let length = Int(random.next() % 14)
      let bytes = (0..<length).map { _ in
        random.next() % 16 == 0
          ? UInt8(truncatingIfNeeded: random.next())
          : alphabet[Int(random.next() % UInt64(alphabet.count))]
      }
      do throws(TimeError) {
        let expression = try TimeExpression(utf8: bytes.span)
        #expect(try expression == TimeExpression(utf8: bytes.span))
      } catch {
        #expect(!error.name.isEmpty)
      }
    }
  }
}
