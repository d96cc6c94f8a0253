// SPDX-License-Identifier: Apache-2.0

/// What a benchmark's runs took.
public struct Measurement {
  /// The benchmark's name.
  public let name: String
  /// What is counted, in the plural.
  public let unit: String
  /// Units a second in each run, slowest first.
  public let rates: [Double]
  /// The sum that the run gave; equal in every run.
  public let checksum: Int64

  /// Runs a benchmark: once to warm up, then a number of times on the clock.
  public init(_ benchmark: Benchmark, runs: Int) throws {
    let clock = ContinuousClock()
    var rates: [Double] = []
    let checksum = try benchmark.run()
    for _ in 0..<max(runs, 1) {
      let start = clock.now
      let again = try benchmark.run()
      let seconds = (clock.now - start) / .seconds(1)
      precondition(again == checksum, "\(benchmark.name): two runs differ")
      rates.append(Double(benchmark.count) / seconds)
    }
    name = benchmark.name
    unit = benchmark.unit
    self.rates = rates.sorted()
    self.checksum = checksum
  }

  /// The middle rate.
  public var median: Double { rates[rates.count / 2] }

  /// The fastest rate: the shortest time.
  public var best: Double { rates[rates.count - 1] }

  /// The measurement as one line of JSON.
  public var json: String {
    "{\"name\":\"\(name)\",\"unit\":\"\(unit)\",\"median\":\(median),\"best\":\(best),"
      + "\"runs\":\(rates.count),\"checksum\":\(checksum)}"
  }

  /// The measurement as a line of a table.
  public var row: String {
    let pad = String(repeating: " ", count: max(1, 34 - name.count))
    return "\(name)\(pad)\(Self.millions(median)) M \(unit)/s (best \(Self.millions(best)))"
  }

  private static func millions(_ rate: Double) -> Double { (rate / 1e5).rounded() / 10 }
}
