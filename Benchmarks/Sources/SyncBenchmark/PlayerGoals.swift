// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces
import Foundation

/// How near the published position is where people play, beside the mean of 24 intervals.
///
/// Made-up players are new in every run, and the seed is printed. Recorded ones are read in place:
/// `DOWNBEAT_ASAP` is the folder of the ASAP data set (github.com/fosfrancesco/asap-dataset), whose
/// licence forbids commercial use. `DOWNBEAT_ASAP_PART`, 0 to 3, chooses another quarter of it.
struct PlayerGoals {
  private static let jitters = [0.1, 1.0, 3.0]
  /// Longer performances are cut.
  private static let beats = 200

  private let runs: Int
  private let seed: UInt64

  init(runs: Int, seed: UInt64) { (self.runs, self.seed) = (runs, seed) }

  var all: [Goal] { madeUp + recorded + motions }

  private var madeUp: [Goal] {
    let players = (0..<runs).map {
      ClockTrace.playedBeats(Self.beats, seed: seed &* 1000 &+ UInt64($0))
    }
    return Self.goals("\(runs) made-up players, seed \(seed)", players)
  }

  private var recorded: [Goal] {
    guard let folder = ProcessInfo.processInfo.environment["DOWNBEAT_ASAP"] else {
      print("left out: recorded performances (DOWNBEAT_ASAP does not name the ASAP data set)")
      return []
    }
    let performances = Self.performances(in: folder)
    guard !performances.isEmpty else {
      print("left out: recorded performances (\(folder) has none)")
      return []
    }
    return Self.goals("\(performances.count) recorded performances", performances)
  }

  private static func goals(_ name: String, _ players: [[Double]]) -> [Goal] {
    jitters.flatMap { jitter in
      let traces = players.enumerated().map {
        ClockTrace(beats: $1, over: .jitter(jitter), seed: UInt64($0))
      }
      let ours = errors(traces) { Ours(published: true) }.quantile(0.5)
      let mean = errors(traces) { MeanOfIntervals() }.quantile(0.5)
      let chain = errors(traces) { ArdourChain() }.quantile(0.5)
      let title = "\(name), \(figure(jitter, digits: 1)) ms"
      return [
        Goal(
          "\(title): published RMS ms", ours, must: jitter == 1 ? min(mean, 2.5) : mean,
          rival: "mean of 24 \(figure(mean)); Ardour's chain \(figure(chain))"),
        Goal("\(title): slips", Double(slips(traces)), must: 0),
      ]
    }
  }

  private static func errors(
    _ traces: [ClockTrace], _ make: () -> some TracedFollower
  ) -> [Double] {
    traces.map { TraceRun(make(), $0).phase.filter { !$0.isNaN }.rootMeanSquare }
  }

  private static func slips(_ traces: [ClockTrace]) -> Int {
    traces.count { trace in
      var follower = Ours(published: false)
      for arrival in trace.arrivals { follower.tick(at: arrival) }
      return follower.count != Int64(trace.count - 1)
    }
  }

  /// Beats of every fourth performance, but for those faster than 999 BPM somewhere, which is not
  /// followed: few, and errors of the annotation.
  private static func performances(in folder: String) -> [[Double]] {
    let part = ProcessInfo.processInfo.environment["DOWNBEAT_ASAP_PART"].flatMap { Int($0) } ?? 0
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let names = paths.filter {
      $0.hasSuffix("_annotations.txt") && !$0.hasSuffix("midi_score_annotations.txt")
    }.sorted()
    return stride(from: min(max(part, 0), 3), to: names.count, by: 4).compactMap { index in
      let beats = beats(in: folder + "/" + names[index])
      guard beats.count > 1, zip(beats, beats.dropFirst()).allSatisfy({ $0 < $1 }) else {
        return nil
      }
      let trace = ClockTrace(beats: beats, over: .jitter(0), seed: 0)
      let fastest = (0..<trace.count).map { trace.period($0) }.min() ?? 0
      return fastest > 2.5 / 999 ? beats : nil
    }
  }

  private static func beats(in path: String) -> [Double] {
    let text: String
    do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
      fatalError("\(path): \(error)")
    }
    let all = text.split(whereSeparator: \.isNewline).compactMap { line in
      line.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
    }
    return Array(all.prefix(beats))
  }

  /// Steps, from the step to eight quarter notes later, and rubato: at most 1.2 times the mean's.
  private var motions: [Goal] {
    let kinds: [(String, ClockTrace.Motion)] = [
      ("120 to 128", .step(from: 120, to: 128)), ("120 to 90", .step(from: 120, to: 90)),
      ("120 to 60", .step(from: 120, to: 60)), ("120 to 180", .step(from: 120, to: 180)),
      ("120 to 24", .step(from: 120, to: 24)),
      ("rubato of 7 % over 4", .swing(tempo: 120, part: 0.07, quarters: 4)),
      ("rubato of 15 % over 2", .swing(tempo: 120, part: 0.15, quarters: 2)),
    ]
    return kinds.flatMap { name, motion in
      Self.jitters.map { jitter in
        let traces = (0..<min(runs, 20)).map {
          ClockTrace(motion, over: .jitter(jitter), seed: seed &* 1000 &+ UInt64($0))
        }
        let ours = Self.moving(traces) { Ours(published: true) }
        let mean = Self.moving(traces) { MeanOfIntervals() }
        return Goal(
          "\(name), \(figure(jitter, digits: 1)) ms: published RMS ms", ours, must: 1.2 * mean,
          rival: "mean of 24 \(figure(mean))")
      }
    }
  }

  private static func moving(
    _ traces: [ClockTrace], _ make: () -> some TracedFollower
  ) -> Double {
    traces.flatMap { trace in
      let first = (trace.events.first ?? 0) * TraceRun.points
      let length = (trace.events.isEmpty ? trace.count : 8 * 24) * TraceRun.points
      return TraceRun(make(), trace).phase[first..<(first + length)].filter { !$0.isNaN }
    }.rootMeanSquare
  }
}
