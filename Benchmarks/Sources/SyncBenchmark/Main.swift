// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces
import Foundation
import MusicalTime

/// Followers of external clocks on traces whose truth is known: `SyncBenchmark [SEEDS]`.
///
/// Of 0 seeds only the speeds are told. `SyncBenchmark --figures FOLDER` draws the pictures of
/// `Documentation/Following.md`.
///
/// Exit status 1: a bound is missed.
@main
enum Main {
  private static let names = [
    "ours", "ours, published", "Ardour loop", "Ardour chain", "mean 24", "line 512",
  ]

  static func main() throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--figures" {
      return try Pictures.write(to: CommandLine.arguments[2])
    }
    let seeds = 0..<(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 200)
    guard !seeds.isEmpty else {
      for line in Speed.lines() { print(line) }
      return
    }
    var all: [String: [TraceFigures]] = [:]
    for name in ClockTrace.names {
      all[name] = [
        TraceFigures(name, seeds: seeds) { Ours(published: false) },
        TraceFigures(name, seeds: seeds) { Ours(published: true) },
        TraceFigures(name, seeds: seeds) { ArdourLoop() },
        TraceFigures(name, seeds: seeds) { ArdourChain() },
        TraceFigures(name, seeds: seeds) { MeanOfIntervals() },
        TraceFigures(name, seeds: seeds) { SlidingLine() },
      ]
    }
    printTables(all)
    let (runs, seed) = (max(8, seeds.count), CarrierGoals.freshSeed)
    let goals =
      try Goals(all, seeds: seeds).all + CountGoals(runs: runs).all
      + CarrierGoals(runs: runs, seed: seed).all + PlayerGoals(runs: runs, seed: seed).all
    print(
      "\n" + "goal".padded(46) + "ours".padded(10) + "must".padded(9) + "stretch".padded(9)
        + "verdict".padded(9) + "Ardour loop; chain")
    for goal in goals { print(goal.row) }
    print()
    for line in Speed.lines() { print(line) }
    if goals.contains(where: { !$0.isMet }) { exit(1) }
  }

  private static func printTables(_ all: [String: [TraceFigures]]) {
    table("RMS / p99 phase ms; RMS tempo BPM; lock quarter notes", all, where: isSteady) {
      "\(figure($0.rms)) / \(figure($0.p99, digits: 2)); \(figure($0.tempo)); "
        + figure($0.lock, digits: 1)
    }
    table("step: peak ms; RMS ms over 8 quarter notes; relock", all, where: has("step")) {
      "\(figure($0.peak, digits: 1)); \(figure($0.rms8, digits: 2)); "
        + figure($0.relock, digits: 1)
    }
    table("ramp 120 to 140: peak ms; RMS ms during; relock", all, where: has("ramp")) {
      "\(figure($0.peak, digits: 1)); \(figure($0.ramp, digits: 2)); "
        + figure($0.relock, digits: 1)
    }
    table("faults: RMS / p99 ms; runs that slip", all, where: isFault) {
      "\(figure($0.rms, digits: 2)) / \(figure($0.p99, digits: 2)); \($0.slips)"
    }
  }

  private static func has(_ prefix: String) -> (String) -> Bool { { $0.hasPrefix(prefix) } }
  private static func isFault(_ name: String) -> Bool {
    ["missing1pc", "dropout", "doubled", "burst"].contains(name)
  }
  private static func isSteady(_ name: String) -> Bool {
    !isFault(name) && !name.hasPrefix("step") && !name.hasPrefix("ramp")
  }

  private static func table(
    _ title: String, _ all: [String: [TraceFigures]], where isIn: (String) -> Bool,
    _ cell: (TraceFigures) -> String
  ) {
    print("\n\(title)\n" + "trace".padded(16) + names.map { $0.padded(29) }.joined())
    for name in ClockTrace.names where isIn(name) {
      print(name.padded(16) + (all[name] ?? []).map { cell($0).padded(29) }.joined())
    }
  }
}
