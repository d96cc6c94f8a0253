// SPDX-License-Identifier: Apache-2.0

/// The deviation of arrivals from the straight line through them.
struct Jitter: CustomStringConvertible {
  let count: Int
  /// Root of the mean square, in milliseconds.
  let rms: Double
  /// The limit that 99 of 100 arrivals stay within, in milliseconds.
  let p99: Double

  /// The deviation of their mean spacing from the nominal one, in parts per million.
  let drift: Double

  /// Measures arrivals that were due at equal distances.
  ///
  /// - Parameters:
  ///   - capture: lines of nanoseconds and key, as `StampCapture` prints them.
  ///   - spacing: the distance in nanoseconds.
  init(capture: String, spacing: Double) {
    self.init(
      of: capture.split(separator: "\n").compactMap {
        $0.split(separator: " ").first.flatMap { Int($0) }
      }, spacing: spacing)
  }

  /// Measures arrivals, in nanoseconds, that were due at equal distances.
  init(of times: [Int], spacing: Double) {
    let arrivals = times.map(Double.init)
    let due = arrivals.indices.map { Double($0) * spacing }
    let n = Double(max(arrivals.count, 1))
    let (meanDue, meanArrival) = (due.reduce(0, +) / n, arrivals.reduce(0, +) / n)
    let spread = due.reduce(0) { $0 + ($1 - meanDue) * ($1 - meanDue) }
    let product = zip(due, arrivals).reduce(0) { $0 + ($1.0 - meanDue) * ($1.1 - meanArrival) }
    let slope = product / max(spread, 1)
    let distances = zip(due, arrivals).map { abs($1 - meanArrival - slope * ($0 - meanDue)) / 1e6 }
    count = arrivals.count
    drift = (slope - 1) * 1e6
    rms = (distances.reduce(0) { $0 + $1 * $1 } / n).squareRoot()
    p99 = distances.sorted().dropFirst(distances.count * 99 / 100).first ?? .infinity
  }

  var description: String { "\(count) arrivals, \(rms) ms RMS, p99 \(p99) ms" }
}
