// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// What the library answers to a vector.
struct Answer: Equatable, CustomStringConvertible {
  var value: JSON
  var exact: Bool

  init(_ value: JSON, exact: Bool = true) {
    self.value = value
    self.exact = exact
  }

  init(_ ratio: Ratio) {
    self.init(.string("\(ratio)"))
  }

  init(_ converted: Converted<Int64>) {
    self.init(.string("\(converted.value)"), exact: converted.isExact)
  }

  init(_ converted: Converted<Timecode>, _ policy: DayPolicy) throws {
    let code = converted.value
    let text = code.rate.text(of: try code.label(policy), subframeBase: code.subframeBase)
    self.init(.string(text), exact: converted.isExact)
  }

  init(_ converted: Converted<BarBeat>) {
    let label = converted.value
    self.init(
      .array([
        .integer(Int64(label.bar)), .integer(Int64(label.beat)), .integer(Int64(label.subbeat)),
        .integer(Int64(label.divisor)),
      ]), exact: converted.isExact)
  }

  init(bytes: [UInt8], exact: Bool = true) {
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    self.init(.string(text.joined(separator: " ")), exact: exact)
  }

  var description: String { "\(value) exact: \(exact)" }
}
