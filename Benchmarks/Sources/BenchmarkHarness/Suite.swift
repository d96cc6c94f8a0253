// SPDX-License-Identifier: Apache-2.0

/// A named group of benchmarks that run one after the other.
public struct Suite: Sendable {
  /// The suite's name on the command line.
  public let name: String
  /// Prepares the suite's input and gives its benchmarks.
  public let benchmarks: @Sendable () throws -> [Benchmark]

  /// Creates a suite.
  public init(_ name: String, benchmarks: @escaping @Sendable () throws -> [Benchmark]) {
    self.name = name
    self.benchmarks = benchmarks
  }
}

/// One thing that is timed.
public struct Benchmark: Sendable {
  /// The benchmark's name, unique in its suite.
  public let name: String
  /// What is counted, in the plural.
  public let unit: String
  /// How many units one run does.
  public let count: Int
  /// One run; the answer keeps the work from being optimised away.
  public let run: @Sendable () throws -> Int64

  /// Creates a benchmark.
  public init(
    _ name: String, _ unit: String, count: Int, run: @escaping @Sendable () throws -> Int64
  ) {
    self.name = name
    self.unit = unit
    self.count = count
    self.run = run
  }
}
