// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces

/// What is asked of a follower where the tempo moves, and on lines that are no white noise.
struct CountGoals {
  private let runs: Int

  init(runs: Int) { self.runs = runs }

  var all: [Goal] { motions + soaks + lines + jittered + frames }

  private static let kinds: [(String, [ClockTrace.Motion])] = [
    (
      "steps from a sixth to six times",
      [20.0, 24, 30, 40, 48, 60, 72, 80, 90, 100, 150, 180, 200, 240, 300, 360, 480, 600, 720]
        .map { .step(from: 120, to: $0) }
    ),
    ("five-fold down", [.step(from: 250, to: 50)]),
    ("ramp 60 to 200 in 16", [.ramp(from: 60, to: 200, quarters: 16)]),
    ("ramp 80 to 160 in 4", [.ramp(from: 80, to: 160, quarters: 4)]),
    (
      "rubato of 2 to 15 % over 2 to 16",
      [0.02, 0.05, 0.07, 0.1, 0.15].flatMap { part in
        [2.0, 4, 8, 16].map { .swing(tempo: 120, part: part, quarters: $0) }
      }
    ),
    ("a step every 8", [.steps(quarters: 8)]),
    ("a person's taps", [0.02, 0.04, 0.06].map { .taps(tempo: 100, part: $0) }),
  ]

  /// Slips, of all runs at three jitters, and the RMS error of some beside the Ardour chain's.
  private var motions: [Goal] {
    Self.kinds.flatMap { name, motions in
      var (slips, ours, theirs) = (0, [Double](), [Double]())
      for motion in motions {
        for (index, jitter) in [0.02, 0.5, 1.0].enumerated() {
          for seed in 0..<runs {
            let seed = UInt64(1000 * index + seed)
            let trace = ClockTrace(motion, over: .jitter(jitter), seed: seed)
            slips += Self.isSlipped(trace) ? 1 : 0
            guard seed % 1000 < 8 else { continue }
            ours += TraceRun(Ours(published: false), trace).phase.filter { !$0.isNaN }
            theirs += TraceRun(ArdourChain(), trace).phase.filter { !$0.isNaN }
          }
        }
      }
      let chain = theirs.rootMeanSquare
      return [
        Goal("\(name): slips", Double(slips), must: 0),
        Goal("\(name): RMS ms", ours.rootMeanSquare, must: chain, rival: "-; \(figure(chain))"),
      ]
    }
  }

  private static func isSlipped(_ trace: ClockTrace) -> Bool {
    var follower = Ours(published: false)
    for arrival in trace.arrivals { follower.tick(at: arrival) }
    return follower.count != trace.count - 1
  }

  /// A million clocks each.
  private var soaks: [Goal] {
    let kinds: [(String, SoakTrace.Parts)] = [
      ("steps", .steps), ("faults", .faults), ("steps and faults", [.steps, .faults]),
    ]
    return kinds.map { name, parts in
      var follower = Ours(published: false)
      var (last, longest, run) = (Int64(0), 0, 0)
      for arrival in SoakTrace(parts, jitter: 0.5, seed: 1).prefix(1_000_000) {
        follower.tick(at: arrival.time)
        last = follower.count - arrival.index
        run = last == 0 ? 0 : run + 1
        longest = max(longest, run)
      }
      return Goal(
        "10⁶ clocks, \(name): clocks off at the end", Double(abs(last)), must: 0,
        rival: "off for \(longest) clocks at most")
    }
  }

  /// Bluetooth's intervals must be no worse than Ardour's loop; the swing has a bound of its own.
  private var lines: [Goal] {
    let kinds: [(String, ClockTrace.Line, Double?)] = [
      ("radio intervals of 7.5 ms", .frames(7.5), nil),
      ("radio intervals of 11.25 ms", .frames(11.25), nil),
      ("radio intervals of 15 ms", .frames(15), nil),
      ("a delay of ±1 ms over 24 clocks", .swing(1, clocks: 24), 0.06),
      ("a delay of ±1 ms over 48 clocks", .swing(1, clocks: 48), nil),
      ("a delay of ±1 ms over 96 clocks", .swing(1, clocks: 96), nil),
    ]
    return kinds.map { name, line, bound in
      let traces = (0..<runs).map { seed in
        let tempo = [120.0, 120.5, 97.25, 140][seed % 4]
        return ClockTrace(.even(tempo: tempo, ppm: 37), over: line, seed: UInt64(seed))
      }
      let ours = traces.map { TraceRun(Ours(published: false), $0).spread }.rootMeanSquare
      let loop = traces.map { TraceRun(ArdourLoop(), $0).spread }.rootMeanSquare
      let chain = traces.map { TraceRun(ArdourChain(), $0).spread }.rootMeanSquare
      return Goal(
        "\(name): RMS ms", ours, must: bound ?? loop, rival: "\(figure(loop)); \(figure(chain))")
    }
  }

  /// Clocks that are late by normal jitter before they fall into frames of 1 ms: no worse than
  /// Ardour's loop, in the median and at worst.
  private var jittered: [Goal] {
    [0.01, 0.03, 0.1, 0.3].flatMap { jitter in
      let traces = (0..<runs).map { seed in
        let tempo = 20 + 280 * Double(seed) / Double(runs)
        return ClockTrace(
          .even(tempo: tempo, ppm: 37), over: .framesAfterJitter(1, jitter), seed: UInt64(seed))
      }
      let ours = traces.map { TraceRun(Ours(published: false), $0).spread }
      let loop = traces.map { TraceRun(ArdourLoop(), $0).spread }
      return [("median", 0.5), ("worst", 1)].map { name, part in
        Goal(
          "USB after \(figure(jitter, digits: 2)) ms of jitter: \(name) RMS ms",
          ours.quantile(part), must: loop.quantile(part))
      }
    }
  }

  /// Frames of 1 ms at tempi of 20 to 300 by a quarter, each at offsets of −200 to 200 ppm.
  ///
  /// Near a period of whole frames a clock keeps its place in its frame for long, and nothing tells
  /// where that is: so what is asked is 0.03 ms beyond what can be known at all; 0.02 BPM, or no
  /// more than what can be known; and to be no worse than Ardour's loop where that can be.
  private var frames: [Goal] {
    let tempi = stride(from: 80, through: 1200, by: runs < 100 ? 17 : 1)
    var (errors, bounds, beyond, worse) = ([Double](), [Double](), 0.0, [String]())
    var (wobbles, lost, blurred) = (0.0, 0.0, 0.0)
    for quarter in tempi {
      for ppm in offsets(quarter) {
        let trace = ClockTrace(
          .even(tempo: Double(quarter) / 4, ppm: ppm), over: .frames(1), seed: UInt64(quarter))
        let run = TraceRun(Ours(published: false), trace)
        let best = TraceRun(FrameBound(frame: 1e-3, trace), trace)
        let bound = best.spread
        errors.append(run.spread)
        bounds.append(bound)
        beyond = max(beyond, run.spread - bound)
        wobbles = max(wobbles, run.wobble)
        blurred = max(blurred, best.wobble)
        lost = max(lost, run.wobble - max(0.02, best.wobble))
        guard run.spread > max(0.03, bound) else { continue }
        let loop = TraceRun(ArdourLoop(), trace).spread
        guard run.spread > loop else { continue }
        worse.append(
          "\(Double(quarter) / 4) BPM, \(Int(ppm)) ppm: \(figure(run.spread)), "
            + "\(figure(bound)) can be known, \(figure(loop))")
      }
    }
    let part = 100 / Double(errors.count)
    let (wide, unknowable) = (errors.count { $0 > 0.03 }, bounds.count { $0 > 0.03 })
    return [
      Goal(
        "USB, every tempo: median RMS ms", errors.quantile(0.5), must: 0.01,
        rival: "\(figure(bounds.quantile(0.5))) can be known"),
      Goal("USB, every tempo: p95 RMS ms", errors.quantile(0.95), must: 0.03),
      Goal("USB: RMS ms beyond what can be known", beyond, must: 0.03),
      Goal(
        "USB: % above 0.03 ms", Double(wide) * part, must: 5,
        rival: "\(figure(Double(unknowable) * part)) where no more can be known"),
      Goal(
        "USB: RMS BPM beyond 0.02 and what can be known", lost, must: 0,
        rival: "\(figure(wobbles)) at most; \(figure(blurred)) can be known"),
      Goal(
        "USB: above 0.03 ms, the best and Ardour's loop", Double(worse.count), must: 0,
        rival: worse.joined(separator: "; ")),
    ]
  }

  /// All offsets by 25 ppm where the period is nearly whole; elsewhere four, others for each tempo.
  private func offsets(_ quarter: Int) -> [Double] {
    let period = 10000 / Double(quarter)
    guard runs >= 100, abs(period - period.rounded()) < 0.01 else {
      return (0..<4).map { Double((quarter * 7919 + $0 * 101) % 401 - 200) }
    }
    return stride(from: -200.0, through: 200, by: 25).map { $0 }
  }
}

extension TraceRun {
  /// The first of the errors once tempo and phase are learnt.
  private var start: Int { 16 * ClockTrace.clocksPerQuarter * Self.points }

  /// The RMS phase error in ms, less its mean.
  var spread: Double {
    let known = phase.dropFirst(start).filter { !$0.isNaN }
    let mean = known.mean
    return known.map { $0 - mean }.rootMeanSquare
  }

  /// The RMS tempo error in BPM.
  var wobble: Double { tempo.dropFirst(start).filter { !$0.isNaN }.rootMeanSquare }
}
