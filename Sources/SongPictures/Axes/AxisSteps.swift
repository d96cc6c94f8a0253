// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Round values for the marks of an axis.
package enum AxisSteps {
  private static let times = [
    1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200, 86400,
  ]

  /// The smallest round number of seconds of which at most `count` fit into a span.
  ///
  /// Below one second it is 1, 2 or 5 times a power of ten, down to a microsecond.
  package static func seconds(for span: Double, atMost count: Int) -> Double {
    let least = span / Double(max(count, 1))
    if least <= 0.5 { return max(round(least), 1e-6) }
    if let step = times.first(where: { $0 >= least }) { return step }
    return (least / 86400).rounded(.up) * 86400
  }

  /// Multiples of 1, 2 or 5 times a power of ten within a range, at most `count`.
  package static func values(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
    let span = range.upperBound - range.lowerBound
    guard span > 0, count > 0 else { return [] }
    return multiples(of: round(span / Double(count)), in: range)
  }

  /// The multiples of a step within a range.
  package static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
    // Allow a thousandth of a step for rounding at the ends.
    let first = (range.lowerBound / step - 0.001).rounded(.up)
    let last = (range.upperBound / step + 0.001).rounded(.down)
    guard first <= last, last - first < 10000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// The smallest number of the form 1, 2 or 5 times a power of ten that is not below another.
  private static func round(_ least: Double) -> Double {
    let power = pow(10, log10(least).rounded(.down))
    return [1, 2, 5, 10].first { $0 * power >= least * 0.9999 }.map { $0 * power } ?? least
  }

  /// A time for an axis: `1:05`, `1:02:05`; with decimals if the step is below one second.
  package static func clock(_ seconds: Double, step: Double) -> String {
    let places = step >= 1 ? 0 : Int((-log10(step) - 0.001).rounded(.up))
    let parts = pow(10, Double(places))
    let units = Int64((seconds * parts).rounded())
    let whole = units / Int64(parts)
    let rest = places > 0 ? "." + String(units % Int64(parts) + Int64(parts)).dropFirst() : ""
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let tail = two(whole % 60) + rest
    return hours > 0 ? "\(hours):\(two(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
