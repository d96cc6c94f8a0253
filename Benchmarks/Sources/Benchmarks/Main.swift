// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import Foundation

/// Runs a suite: `Benchmarks SUITE [--json] [--runs N] [--only NAME]`.
///
/// `Benchmarks --files FOLDER` writes the songs that other programs are to read, and
/// `Benchmarks --figures FOLDER` shows what is no rate, with those songs.
@main
enum Main {
  static let suites = [
    timeSuite, smfSuite, editSuite, graphSuite, clockSuite, playSuite, soundSuite,
    musicSuite, lv2Suite,
  ]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let runs = value(of: "--runs", in: arguments).flatMap { Int($0) }
    let only = value(of: "--only", in: arguments)
    if arguments.first == "--files", arguments.count == 2 {
      return try writeSongs(to: arguments[1])
    }
    if arguments.first == "--figures", arguments.count == 2 {
      return try Figures.print(arguments[1])
    }
    guard let suite = suites.first(where: { arguments.first == $0.name }) else {
      print("usage: Benchmarks SUITE [--json] [--runs N]; suites:", suites.map(\.name))
      return
    }
    for benchmark in try suite.benchmarks() where only.map(benchmark.name.contains) ?? true {
      let measurement = try Measurement(benchmark, runs: runs ?? 5)
      print(arguments.contains("--json") ? measurement.json : measurement.row)
    }
  }

  private static func value(of option: String, in arguments: [String]) -> String? {
    arguments.firstIndex(of: option).flatMap { index in
      arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
    }
  }

  private static func writeSongs(to folder: String) throws {
    let songs = [
      ("notes", SampleSong.notes(1_000_000)), ("tenth", SampleSong.notes(100_000)),
      ("mixed", SampleSong.mixed(1_000_000)),
    ]
    for (name, bytes) in songs {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name).mid"))
    }
  }
}
