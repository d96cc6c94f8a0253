// SPDX-License-Identifier: Apache-2.0
import ClockTraces
import Foundation

/// No clock lost or added on carriers, in batches, by fermatas, by players, by losses or by doubles.
///
/// The masters are new in every run: the seed is printed, and `SYNC_SEED` repeats it.
struct CarrierGoals {
  private let runs: Int
  private let seed: UInt64

  init(runs: Int, seed: UInt64) { (self.runs, self.seed) = (runs, seed) }

  /// A seed that is new in every run, or the one given.
  static var freshSeed: UInt64 {
    let given = ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap { UInt64($0) }
    return given ?? UInt64.random(in: 1...1_000_000)
  }

  var all: [Goal] {
    let kinds: [(String, (inout Draw) -> [Double])] = [
      ("carriers of 5 to 50 ms, 0.8 to 1.3 frames a clock", Self.carrier),
      ("batches of 2 to 24", Self.batches),
      ("fermatas", Self.fermata),
      ("players", Self.performance),
      ("one clock lost, 0.1 ms jitter", { Self.loss(&$0, 1...1, 0.1e-3) }),
      ("one clock lost, 1 ms", { Self.loss(&$0, 1...1, 1e-3) }),
      ("one clock lost, 3 ms", { Self.loss(&$0, 1...1, 3e-3) }),
      ("two to twelve lost, 1 ms", { Self.loss(&$0, 2...12, 1e-3) }),
      ("two to twelve lost, 3 ms", { Self.loss(&$0, 2...12, 3e-3) }),
      ("10 % lost, 1 ms", { Self.losses(&$0, 0.1, 1e-3) }),
      ("10 % doubled, 1 ms", { Self.doubles(&$0, 0.1, 1e-3) }),
      ("30 % doubled, 1 ms", { Self.doubles(&$0, 0.3, 1e-3) }),
    ]
    return kinds.map { goal($0, $1) } + uncertain
  }

  /// Slips that are not shown as uncertain at 3 ms, and right counts that are.
  ///
  /// One slip may be silent, however few runs there are.
  private var uncertain: [Goal] {
    let undecided: [(String, (inout Draw) -> [Double])] = [
      ("1 % lost, 3 ms", { Self.losses(&$0, 0.01, 3e-3) }),
      ("5 % lost, 3 ms", { Self.losses(&$0, 0.05, 3e-3) }),
      ("10 % lost, 3 ms", { Self.losses(&$0, 0.1, 3e-3) }),
      ("10 % doubled, 3 ms", { Self.doubles(&$0, 0.1, 3e-3) }),
      ("30 % doubled, 3 ms", { Self.doubles(&$0, 0.3, 3e-3) }),
    ]
    let decided: [(String, (inout Draw) -> [Double])] = [
      ("steady, 3 ms", { Self.loss(&$0, 0...0, 3e-3) }), ("players", Self.performance),
    ]
    return undecided.map { name, master in
      let (slips, silent, _) = outcomes(master)
      return Goal(
        "\(name): % of slips not shown", 100 * Double(silent) / Double(max(slips, 1)),
        must: max(5, 100 / Double(max(slips, 1))),
        rival: "\(silent) of \(slips) in \(runs), seed \(seed)")
    }
      + decided.map { name, master in
        let falsely = outcomes(master).falsely
        return Goal(
          "\(name): % shown as uncertain at the end", 100 * Double(falsely) / Double(runs),
          must: 100 / Double(max(runs, 200)), rival: "\(falsely) of \(runs), seed \(seed)")
      }
  }

  private func goal(_ name: String, _ master: (inout Draw) -> [Double]) -> Goal {
    let (slips, silent, _) = outcomes(master)
    return Goal(
      "\(name): slips", Double(slips), must: 0,
      rival: "of \(runs), \(silent) not shown as uncertain, seed \(seed)")
  }

  /// Counts runs that slip, slips not shown as uncertain, and right counts that are.
  private func outcomes(
    _ master: (inout Draw) -> [Double]
  ) -> (slips: Int, silent: Int, falsely: Int) {
    var (slips, silent, falsely) = (0, 0, 0)
    for run in 0..<runs {
      var draw = Draw(seed: seed &* 1000 &+ UInt64(run))
      let arrivals = master(&draw)
      var follower = Ours(published: false)
      var latest = -Double.infinity
      for arrival in arrivals.sorted() {
        latest = max(latest, arrival)
        follower.tick(at: latest)
      }
      guard follower.count != Int64(draw.count - 1) else {
        falsely += follower.isUncertain ? 1 : 0
        continue
      }
      slips += 1
      silent += follower.isUncertain ? 0 : 1
    }
    return (slips, silent, falsely)
  }

  /// Random numbers, and how many clocks the master sent.
  struct Draw {
    var noise: NormalNoise
    var random: SplitMix
    var count = 0

    init(seed: UInt64) {
      noise = NormalNoise(seed: seed)
      random = SplitMix(seed: seed)
    }

    mutating func jitter() -> Double {
      [0.1e-3, 1e-3, 3e-3][Int.random(in: 0..<3, using: &random)]
    }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
      .random(in: range, using: &random)
    }
  }

  /// Nearer to one frame a clock fewer than four odd intervals come, which prove nothing.
  private static func carrier(_ draw: inout Draw) -> [Double] {
    let frame = draw.uniform(5...50)
    let ratio =
      Bool.random(using: &draw.random) ? draw.uniform(0.8...0.996) : draw.uniform(1.004...1.3)
    let trace = ClockTrace(
      .even(tempo: 2500 / (frame * ratio), ppm: 0), over: .frames(frame), seed: draw.random.next())
    draw.count = trace.count
    return trace.arrivals
  }

  private static func batches(_ draw: inout Draw) -> [Double] {
    let size = Int.random(in: 2...24, using: &draw.random)
    let period = 2.5 / draw.uniform(60...200)
    draw.count = size * (2400 / size)
    return (0..<draw.count).map { 0.25 + Double(($0 / size + 1) * size) * period }
  }

  private static func fermata(_ draw: inout Draw) -> [Double] {
    let (period, most) = (2.5 / draw.uniform(60...180), draw.uniform(3...10))
    let length = Int.random(in: 4...24, using: &draw.random)
    let jitter = draw.jitter()
    var (time, arrivals) = (0.25, [Double]())
    for index in 0..<600 {
      arrivals.append(time + draw.noise.next(jitter))
      let part = Double(index - 200) / Double(length)
      let isHeld = index >= 200 && index < 220 + length
      time += period * (isHeld ? 1 + (most - 1) * sin(min(part, 1) * .pi / 2) : 1)
    }
    draw.count = arrivals.count
    return arrivals
  }

  /// A player: beats that wander by 3 to 12 %, phrases, and now and then a beat held.
  private static func performance(_ draw: inout Draw) -> [Double] {
    let (tempo, wander) = (draw.uniform(50...160), draw.uniform(0.03...0.12))
    let (phrase, depth) = (draw.uniform(8...24), draw.uniform(0...0.25))
    let holds = draw.uniform(0...1) < 0.3
    let jitter = draw.jitter()
    var (time, walk, before, arrivals) = (0.25, 0.0, 1.0, [Double]())
    for beat in 0..<120 {
      walk = 0.8 * walk + draw.noise.next(wander)
      var length = exp(walk + depth * cos(2 * .pi * Double(beat) / phrase))
      if holds, draw.uniform(0...1) < 0.04 { length *= draw.uniform(1.5...3) }
      for clock in 0..<24 {
        arrivals.append(time + draw.noise.next(jitter))
        time += 2.5 / tempo * (before + (length - before) * (Double(clock) + 0.5) / 24)
      }
      before = length
    }
    draw.count = arrivals.count
    return arrivals
  }

  private static func loss(
    _ draw: inout Draw, _ sizes: ClosedRange<Int>, _ jitter: Double
  ) -> [Double] {
    let period = 2.5 / draw.uniform(100...140)
    let first = Int.random(in: 300...400, using: &draw.random)
    let count = Int.random(in: sizes, using: &draw.random)
    draw.count = 800
    return (0..<800).filter { $0 < first || $0 >= first + count }
      .map { 0.25 + Double($0) * period + draw.noise.next(jitter) }
  }

  private static func losses(
    _ draw: inout Draw, _ part: Double, _ jitter: Double
  ) -> [Double] {
    let period = 2.5 / draw.uniform(100...140)
    draw.count = 1500
    return (0..<1500).compactMap { index in
      let isLost = index > 48 && index < 1450 && draw.uniform(0...1) < part
      return isLost ? nil : 0.25 + Double(index) * period + draw.noise.next(jitter)
    }
  }

  private static func doubles(
    _ draw: inout Draw, _ part: Double, _ jitter: Double
  ) -> [Double] {
    let period = 2.5 / draw.uniform(100...140)
    draw.count = 1500
    return (0..<1500).flatMap { index in
      let time = 0.25 + Double(index) * period + draw.noise.next(jitter)
      let isDoubled = index > 48 && index < 1450 && draw.uniform(0...1) < part
      return isDoubled ? [time, time + draw.uniform(0.3e-3...1.5e-3)] : [time]
    }
  }
}
