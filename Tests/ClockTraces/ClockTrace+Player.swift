// SPDX-License-Identifier: Apache-2.0

extension ClockTrace {
  /// The clocks of a recorded or made-up performance: 24 from each beat to the next.
  ///
  /// Clocks between beats lie on a monotone cubic through the beats, so the tempo never jumps.
  ///
  /// - Parameters:
  ///   - beats: When each beat was, in seconds; two or more, ascending.
  ///   - line: The transmission line.
  ///   - seed: Which of many.
  ///
  /// Source: Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, 1980.
  public init(beats: [Double], over line: Line, seed: UInt64) {
    precondition(beats.count > 1, "two beats or more")
    var random = TraceRandom(seed: seed, tag: 4243)
    let slopes = Self.slopes(beats)
    var times: [Double] = []
    for beat in 0..<(beats.count - 1) {
      for clock in 0..<Self.clocksPerQuarter {
        let part = Double(clock) / Double(Self.clocksPerQuarter)
        times.append(
          Self.cubic(part, beats[beat], beats[beat + 1], slopes[beat], slopes[beat + 1]))
      }
    }
    times.append(beats[beats.count - 1])
    let (arrivals, delay, jitter) = line.carry(Array(times.dropLast()), &random)
    self.init(
      name: "performance, \(line)", kind: .steady, times: times, arrivals: arrivals, delay: delay,
      jitter: jitter, events: [])
  }

  /// Seconds a beat at each beat: the harmonic mean of the beats to both sides.
  private static func slopes(_ beats: [Double]) -> [Double] {
    let lengths = (1..<beats.count).map { beats[$0] - beats[$0 - 1] }
    return beats.indices.map { index in
      guard index > 0 else { return lengths[0] }
      guard index < lengths.count else { return lengths[index - 1] }
      return 2 * lengths[index - 1] * lengths[index] / (lengths[index - 1] + lengths[index])
    }
  }

  /// The Hermite cubic from a value and slope at 0 to those at 1.
  private static func cubic(
    _ part: Double, _ first: Double, _ last: Double, _ slope: Double, _ end: Double
  ) -> Double {
    let rest = 1 - part
    let (start, finish) = (rest * rest * (1 + 2 * part), part * part * (3 - 2 * part))
    return start * first + finish * last + part * rest * (rest * slope - part * end)
  }

  /// The beats of a made-up player, with the statistics of 267 recorded piano performances.
  ///
  /// The logarithm of a beat's length is the sum of phrases, a walk that is pulled back, and noise;
  /// now and then a beat is held. Recorded: the median tempo 73 to 151 BPM, a beat 5 to 9 % off
  /// the one before in the median, the longest 2.2 to 5.4 times the usual (quartiles).
  public static func playedBeats(_ count: Int, seed: UInt64) -> [Double] {
    var random = TraceRandom(seed: seed, tag: 4244)
    let beat = 60 / (60 * (1 + 1.7 * random.uniform()))
    let (noise, wander) = (random.uniform(0.03, 0.07), random.uniform(0.02, 0.07))
    let (phrase, depth) = (random.uniform(8, 24), random.uniform(0, 0.2))
    let (start, holds) = (random.uniform(), random.uniform(0, 0.02))
    var (time, walk, beats) = (0.25, 0.0, [0.25])
    for index in 1..<max(count, 2) {
      walk = 0.85 * walk + random.normal(wander)
      let swell = depth * TraceRandom.sine(start + Double(index) / phrase)
      var length = beat * exponential(walk + swell + random.normal(noise))
      if random.uniform() < holds { length *= random.uniform(1.4, 3.5) }
      time += length
      beats.append(time)
    }
    return beats
  }

  /// e to a small power, from the four operations alone.
  private static func exponential(_ power: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for order in 1...20 {
      term *= power / Double(order)
      sum += term
    }
    return sum
  }
}
