// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness

/// Runs a suite: `Benchmarks SUITE [--json] [--runs N]`.
@main
enum Main {
  static let suites = [timeSuite]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let runs = arguments.firstIndex(of: "--runs").flatMap { index in
      arguments.indices.contains(index + 1) ? Int(arguments[index + 1]) : nil
    }
    guard let suite = suites.first(where: { arguments.first == $0.name }) else {
      print("usage: Benchmarks SUITE [--json] [--runs N]; suites:", suites.map(\.name))
      return
    }
    for benchmark in try suite.benchmarks() {
      let measurement = try Measurement(benchmark, runs: runs ?? 5)
      print(arguments.contains("--json") ? measurement.json : measurement.row)
    }
  }
}
