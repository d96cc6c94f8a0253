// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// Measures how evenly clocks arrive.
struct ArrivalMeter {
  /// The maximum number of arrivals that are stored for the plot and the histogram.
  private static let limit = 1 << 20

  private var run: [Int64] = []
  private var longest: [Int64] = []
  private(set) var count = 0

  mutating func take(_ time: HostTime) {
    count += 1
    if run.count < Self.limit { run.append(time.nanoseconds) }
  }

  /// Starts a new run, because the next clocks are on a different grid; only the longest run is
  /// measured.
  mutating func beginRun() {
    if run.count > longest.count { longest = run }
    run = []
  }

  private var arrivals: [Int64] { run.count > longest.count ? run : longest }

  /// The statistics of the longest run, in milliseconds; nil for fewer than three arrivals.
  var summary: Summary? {
    let arrivals = arrivals
    guard arrivals.count > 2, let first = arrivals.first else { return nil }
    let intervals = zip(arrivals, arrivals.dropFirst()).map { Double($1 - $0) / 1e6 }
    let mean = intervals.reduce(0, +) / Double(intervals.count)
    let variance = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let middle = Double(arrivals.count - 1) / 2
    // Times are relative to the first arrival, because sums of large numbers would lose
    // microseconds.
    let times = arrivals.map { Double($0 - first) / 1e6 }
    let average = times.reduce(0, +) / Double(times.count)
    var product = 0.0
    var square = 0.0
    for (index, time) in times.enumerated() {
      product += (Double(index) - middle) * (time - average)
      square += (Double(index) - middle) * (Double(index) - middle)
    }
    let slope = product / square
    let scatter = Scatter(times)
    return Summary(
      mean: mean, deviation: (variance / Double(intervals.count)).squareRoot(),
      least: intervals.min() ?? mean, most: intervals.max() ?? mean, slope: slope,
      jitter: scatter.jitter, residuals: scatter.residuals)
  }

  /// The deviations of arrivals from straight lines through short parts of a run, so that a
  /// changing tempo does not count as jitter.
  struct Scatter {
    /// The clocks in a quarter note.
    private static let length = 24

    /// The root mean square of the deviations, in the unit of the times.
    private(set) var jitter = 0.0
    private(set) var residuals: [Double] = []

    /// Fits lines; parts with a tempo jump or a lost clock are ignored.
    init(_ times: [Double]) {
      var pieces: [(variance: Double, residuals: [Double])] = []
      var start = 0
      while start < times.count {
        let isLast = times.count - start < 2 * Self.length
        let end = isLast ? times.count : start + Self.length
        pieces.append(Self.fit(times[start..<end]))
        start = end
      }
      let middle = pieces.map(\.variance).sorted()[pieces.count / 2]
      let even = pieces.filter { $0.variance <= max(9 * middle, 1e-4) }
      residuals = even.flatMap(\.residuals)
      jitter = (even.reduce(0) { $0 + $1.variance } / Double(even.count)).squareRoot()
    }

    private static func fit(_ times: ArraySlice<Double>) -> (Double, [Double]) {
      let middle = Double(times.count - 1) / 2
      let average = times.reduce(0, +) / Double(times.count)
      var (product, square) = (0.0, 0.0)
      for (index, time) in times.enumerated() {
        product += (Double(index) - middle) * (time - average)
        square += (Double(index) - middle) * (Double(index) - middle)
      }
      let slope = square > 0 ? product / square : 0
      let residuals = times.enumerated().map { $1 - average - slope * (Double($0) - middle) }
      let sum = residuals.reduce(0) { $0 + $1 * $1 }
      return (sum / Double(max(1, times.count - 2)), residuals)
    }
  }

  /// The intervals, and the straight line through the arrivals, in milliseconds.
  struct Summary {
    let mean: Double
    let deviation: Double
    let least: Double
    let most: Double
    /// The interval of the straight line.
    let slope: Double
    /// The root mean square of the deviations from lines through 24 arrivals each.
    let jitter: Double
    let residuals: [Double]

    /// The number of arrivals by their deviation from the line; the outermost bins include
    /// everything beyond.
    var histogram: [(from: Double, count: Int)] {
      let width = Self.width(for: jitter)
      var counts = [Int](repeating: 0, count: 17)
      for residual in residuals {
        counts[min(max(Int((residual / width).rounded()) + 8, 0), 16)] += 1
      }
      return counts.enumerated().map { ((Double($0) - 8.5) * width, $1) }
    }

    /// The width of a bin, 1, 2.5 or 5 times a power of ten, so that the bins cover four standard
    /// deviations.
    private static func width(for jitter: Double) -> Double {
      var power = 0.001
      while power * 10 < jitter / 2 { power *= 10 }
      for factor in [1, 2.5, 5] where power * factor >= jitter / 2 { return power * factor }
      return power * 10
    }
  }
}

extension ArrivalMeter.Summary {
  /// The summary as text for the user.
  func lines(of unit: String, count: Int) -> [String] {
    let head = [
      "\(count) \(unit)",
      "interval \(mean.decimal(4)) ms, s.d. \(deviation.decimal(4)),"
        + " \(least.decimal(4))…\(most.decimal(4))",
      "jitter \(jitter.decimal(4)) ms RMS (from a straight line fitted to every 24 arrivals)",
    ]
    let most = histogram.map(\.count).max() ?? 1
    let bars = histogram.map { bin in
      let length = (bin.count * 40 + most - 1) / max(most, 1)
      let from = bin.from.decimal(3)
      let pad = String(repeating: " ", count: max(0, 9 - from.utf8.count))
      return "\(pad)\(from) ms \(String(repeating: "#", count: length)) \(bin.count)"
    }
    return head + bars
  }

  /// The summary as members of a JSON document.
  func json(count: Int) -> [(name: String, value: JSONValue)] {
    [
      ("count", .integer(count)), ("interval_ms", .decimal(mean.decimal(6))),
      ("interval_sd_ms", .decimal(deviation.decimal(6))),
      ("interval_min_ms", .decimal(least.decimal(6))),
      ("interval_max_ms", .decimal(most.decimal(6))), ("spacing_ms", .decimal(slope.decimal(6))),
      ("jitter_ms", .decimal(jitter.decimal(6))),
      (
        "histogram",
        .array(
          histogram.map {
            .object([("from_ms", .decimal($0.from.decimal(4))), ("count", .integer($0.count))])
          })
      ),
    ]
  }

  /// A plot of the deviations from the line, as SVG.
  func svg(title: String) -> String {
    let (width, height) = (1000.0, 400.0)
    let most = max(residuals.map(abs).max() ?? 0, 0.001)
    let points = residuals.enumerated().map { index, residual in
      let x = 60 + (width - 80) * Double(index) / Double(max(residuals.count - 1, 1))
      let y = height / 2 - (height / 2 - 40) * residual / most
      return "\(x.decimal(1)),\(y.decimal(1))"
    }
    let label = most.decimal(3)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 400" font-family="sans-serif" \
      font-size="14">
      <rect width="1000" height="400" fill="white"/>
      <text x="60" y="24">\(title)</text>
      <line x1="60" y1="200" x2="980" y2="200" stroke="gray"/>
      <text x="8" y="44">+\(label)</text>
      <text x="8" y="204">0 ms</text>
      <text x="8" y="364">-\(label)</text>
      <polyline fill="none" stroke="black" stroke-width="0.7" \
      points="\(points.joined(separator: " "))"/>
      </svg>

      """
  }
}
