// SPDX-License-Identifier: Apache-2.0

extension ClockTrace {
  /// How a master's tempo moves; no clock of it is lost or doubled.
  public enum Motion: Sendable {
    /// One tempo, then another.
    case step(from: Double, to: Double)
    /// One tempo, then an even change to another over so many quarter notes.
    case ramp(from: Double, to: Double, quarters: Int)
    /// A tempo that swings by a part of itself, once in so many quarter notes.
    case swing(tempo: Double, part: Double, quarters: Double)
    /// A new tempo, from a half to twice 120, every so many quarter notes.
    case steps(quarters: Int)
    /// A person's taps: every quarter note is a little off the one before, and the mean drifts.
    case taps(tempo: Double, part: Double)
    /// One tempo, fast or slow by so many millionths.
    case even(tempo: Double, ppm: Double)
  }

  /// What a line does to the clocks, but for faults.
  public enum Line: Sendable {
    /// Normal jitter, in milliseconds.
    case jitter(Double)
    /// Frames of a bus or intervals of a radio, in milliseconds: a clock is seen at the end of one.
    case frames(Double)
    /// The same of a master that itself jitters, both in milliseconds.
    case framesAfterJitter(Double, Double)
    /// A delay that swings by so many milliseconds, once in so many clocks, and a little jitter.
    case swing(Double, clocks: Double)
  }

  /// A trace of so many quarter notes; a step or a ramp begins at quarter note 40.
  ///
  /// - Parameters:
  ///   - motion: What the tempo does.
  ///   - line: What happens on the way.
  ///   - quarters: The length, 100 by default.
  ///   - seed: Which of many.
  public init(_ motion: Motion, over line: Line, quarters: Int = 100, seed: UInt64) {
    var random = TraceRandom(seed: seed, tag: 4241)
    let tempi = motion.tempi(quarters * Self.clocksPerQuarter, &random)
    var time = 0.25
    var times = [time]
    for tempo in tempi {
      time += 60 / (tempo * Double(Self.clocksPerQuarter))
      times.append(time)
    }
    let (arrivals, delay, jitter) = line.carry(Array(times.dropLast()), &random)
    self.init(
      name: "\(motion), \(line)", kind: .steady, times: times, arrivals: arrivals, delay: delay,
      jitter: jitter, events: motion.events)
  }
}

extension ClockTrace.Motion {
  /// The clocks at which the tempo changes once.
  var events: [Int] {
    switch self {
    case .step: [ClockTrace.change]
    case .ramp(_, _, let quarters):
      [ClockTrace.change, ClockTrace.change + quarters * ClockTrace.clocksPerQuarter]
    default: []
    }
  }

  /// The tempo of each clock.
  func tempi(_ count: Int, _ random: inout TraceRandom) -> [Double] {
    switch self {
    case .step(let from, let to): (0..<count).map { $0 < ClockTrace.change ? from : to }
    case .ramp(let from, let to, let quarters):
      (0..<count).map { index in
        let length = Double(quarters * ClockTrace.clocksPerQuarter)
        let part = Double(index - ClockTrace.change) / length
        return from + (to - from) * min(max(part, 0), 1)
      }
    case .swing(let tempo, let part, let quarters):
      Self.swinging(count, tempo, part, quarters, random.uniform())
    case .steps(let quarters): stepping(count, quarters, &random)
    case .taps(let tempo, let part): tapping(count, tempo, part, &random)
    case .even(let tempo, let ppm): Array(repeating: tempo * (1 - ppm * 1e-6), count: count)
    }
  }

  private static func swinging(
    _ count: Int, _ tempo: Double, _ part: Double, _ quarters: Double, _ phase: Double
  ) -> [Double] {
    // Two quarter notes to begin with; then by a rotation, the same on every machine.
    let step = 1 / (quarters * Double(ClockTrace.clocksPerQuarter))
    return (0..<count).map { index in
      index < 48 ? tempo : tempo * (1 + part * TraceRandom.sine(phase + Double(index) * step))
    }
  }

  private func stepping(_ count: Int, _ quarters: Int, _ random: inout TraceRandom) -> [Double] {
    var tempo = 120.0
    return (0..<count).map { index in
      if index > 0, index % (quarters * ClockTrace.clocksPerQuarter) == 0 {
        tempo = random.uniform(60, 240)
      }
      return tempo
    }
  }

  /// Each tap corrects a part of the error of the one before it, as people do.
  private func tapping(
    _ count: Int, _ mean: Double, _ part: Double, _ random: inout TraceRandom
  ) -> [Double] {
    var (tempo, drift, last) = (mean, 0.0, 0.0)
    return (0..<count).map { index in
      if index % ClockTrace.clocksPerQuarter == 0 {
        drift = 0.95 * drift + random.normal(part / 2)
        let error = random.normal(part)
        tempo = mean * (1 + drift + error - 0.5 * last)
        last = error
      }
      return tempo
    }
  }
}

extension ClockTrace.Line {
  /// Arrivals in order, the mean delay and about how much they jitter.
  func carry(
    _ times: [Double], _ random: inout TraceRandom
  ) -> (arrivals: [Double], delay: Double, jitter: Double) {
    var latest = -Double.infinity
    let phase = random.uniform()
    let arrivals = times.enumerated().map { index, time in
      latest = max(latest, arrival(of: time, index, phase, &random))
      return latest
    }
    switch self {
    case .jitter(let ms): return (arrivals, 0, ms * 1e-3)
    case .frames(let ms), .framesAfterJitter(let ms, _):
      return (arrivals, ms * 0.5e-3 + 24e-6, ms * 0.29e-3)
    case .swing(let ms, _): return (arrivals, 0, ms * 0.7e-3)
    }
  }

  private func arrival(
    of time: Double, _ index: Int, _ phase: Double, _ random: inout TraceRandom
  ) -> Double {
    switch self {
    case .jitter(let ms): return time + random.normal(ms * 1e-3)
    case .frames(let ms): return Self.end(of: ms * 1e-3, time, phase, &random)
    case .framesAfterJitter(let ms, let jitter):
      return Self.end(of: ms * 1e-3, time + random.normal(jitter * 1e-3), phase, &random)
    case .swing(let ms, let clocks):
      return time + ms * 1e-3 * TraceRandom.sine(phase + Double(index) / clocks)
        + random.normal(50e-6)
    }
  }

  /// The end of the frame in which a clock falls, and the host's delay.
  private static func end(
    of frame: Double, _ time: Double, _ phase: Double, _ random: inout TraceRandom
  ) -> Double {
    ((time / frame - phase).rounded(.up) + phase) * frame + abs(random.normal(30e-6))
  }
}
