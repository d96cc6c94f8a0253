// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces

/// One follower on one trace: its errors at four points of every clock.
struct TraceRun {
  static let points = 4
  /// Phase error, estimate minus truth, in ms; not a number before there is an estimate.
  private(set) var phase: [Double]
  /// Tempo error in BPM.
  private(set) var tempo: [Double]
  /// The jumps of the position at a clock, in ms, and how often it went backwards.
  private(set) var jumps: [Double] = []
  private(set) var backward = 0

  init(_ follower: consuming some TracedFollower, _ trace: ClockTrace) {
    var next = 0
    var latest = -Double.infinity
    phase = []
    tempo = []
    for index in 0..<trace.count {
      let period = trace.period(index)
      for point in 0..<Self.points {
        let part = (Double(point) + 0.5) / Double(Self.points)
        let time = trace.times[index] + part * period + trace.delay
        while next < trace.arrivals.count, trace.arrivals[next] <= time {
          let arrival = trace.arrivals[next]
          let before = follower.position(at: arrival)
          follower.tick(at: arrival)
          if let before, let after = follower.position(at: arrival) {
            jumps.append(abs(after - before) * period * 1e3)
          }
          next += 1
        }
        let position = follower.position(at: time)
        if let position, position < latest { backward += 1 }
        latest = position ?? latest
        phase.append(position.map { ($0 - Double(index) - part) * period * 1e3 } ?? .nan)
        tempo.append(60 / 24 / follower.period - 60 / 24 / period)
      }
    }
  }
}

/// One follower on many realisations of one trace: the figures of the table.
struct TraceFigures {
  var rms = 0.0
  var p99 = 0.0
  var tempo = 0.0
  var lock = 0.0
  var peak = 0.0
  var rms8 = 0.0
  var relock = 0.0
  var ramp = 0.0
  var slips = 0
  var jump = 0.0
  var backward = 0
  var bias = 0.0

  private static let beat = 24 * TraceRun.points

  init(_ name: String, seeds: Range<Int>, _ make: () -> some TracedFollower) {
    let traces = seeds.map { ClockTrace(name, seed: $0) }
    var runs = traces.map { TraceRun(make(), $0) }
    let trace = traces[0]
    let change = (trace.events.first ?? trace.count) * TraceRun.points
    // A constant delay is calibrated once by whoever sets the machines up.
    let last = min(change, (trace.kind == .fault ? 28 : 40) * Self.beat)
    bias = runs.map { $0.phase[(16 * Self.beat)..<last] }.joined().meanOfKnown
    let ms = max(1, trace.jitter * 1e3)
    let bpm = 0.005 * 2.5 / trace.period(0) * max(1, trace.jitter * 1e3)
    let isSteady = [.steady, .wandering, .fault].contains(trace.kind)
    let window = (16 * Self.beat)..<(isSteady ? trace.count * TraceRun.points : change)
    slips = zip(runs, traces).count { run, trace in
      let tail = run.phase.suffix(4 * Self.beat).meanOfKnown
      return (tail / (trace.period(trace.count - 1) * 1e3)).rounded() != 0
    }
    for index in runs.indices { runs[index].remove(bias) }
    let errors = runs.map { $0.phase[window] }.joined().filter { !$0.isNaN }
    rms = errors.rootMeanSquare
    p99 = errors.map(abs).quantile(0.99)
    tempo = runs.map { $0.tempo[window] }.joined().filter { !$0.isNaN }.rootMeanSquare
    lock = runs.map { $0.settled(from: 0, to: change, ms, bpm) }.quantile(0.5)
    jump = runs.map { $0.jumps.dropFirst($0.jumps.count / 4).max() ?? 0 }.max() ?? 0
    backward = runs.map(\.backward).reduce(0, +)
    guard !trace.events.isEmpty else { return }
    let end = change + (trace.kind == .step ? 16 : 24) * Self.beat
    peak = runs.map { $0.phase[change..<end].map(abs).max() ?? 0 }.mean
    rms8 = runs.map { $0.phase[change..<(change + 8 * Self.beat)] }.joined().rootMeanSquare
    let start = trace.events[trace.events.count - 1] * TraceRun.points
    relock = runs.map { $0.settled(from: start, to: $0.phase.count, ms, bpm) }.quantile(0.5)
    guard trace.kind == .ramp else { return }
    ramp = runs.map { $0.phase[(change + 2 * Self.beat)..<start] }.joined().rootMeanSquare
  }
}

extension TraceRun {
  mutating func remove(_ bias: Double) {
    for index in phase.indices { phase[index] -= bias }
  }

  /// Quarter notes from an index until phase and tempo stay right for a whole quarter note.
  func settled(from start: Int, to end: Int, _ ms: Double, _ bpm: Double) -> Double {
    let needed = 24 * Self.points
    var run = 0
    for index in start..<end {
      run = abs(phase[index]) < ms && abs(tempo[index]) < bpm ? run + 1 : 0
      if run == needed { return Double(index + 1 - needed - start) / Double(needed) }
    }
    return .infinity
  }
}

extension Sequence where Element == Double {
  var mean: Double {
    var (sum, count) = (0.0, 0.0)
    for value in self {
      sum += value
      count += 1
    }
    return sum / count
  }

  var meanOfKnown: Double { lazy.filter { !$0.isNaN }.mean }

  var rootMeanSquare: Double { lazy.map { $0 * $0 }.mean.squareRoot() }

  /// The value below which a part lies, between the two nearest.
  func quantile(_ part: Double) -> Double {
    let ordered = sorted()
    let place = part * Double(ordered.count - 1)
    let below = ordered[Int(place)]
    let above = ordered[Swift.min(Int(place) + 1, ordered.count - 1)]
    return above.isInfinite && below.isInfinite
      ? below : below + (above - below) * (place - place.rounded(.down))
  }
}
