// SPDX-License-Identifier: Apache-2.0

/// The state of a tick follower after a clock: state and covariance of a Kalman filter.
///
/// The state is (time of the last tick, period, change of the period per tick). The time is a
/// distance from the last arrival, so that its doubles stay small however long the computer has
/// run.
struct TickState: BitwiseCopyable, Sendable {
  /// The index of the last tick.
  var count: Int64 = 0
  /// The arrival to which `offset` is relative, in nanoseconds.
  var anchor: Int64 = 0
  /// The actual time of the last tick, in nanoseconds after `anchor`.
  var offset = 0.0
  /// Nanoseconds per tick.
  var period = 0.0
  /// Nanoseconds by which a tick is longer than the last one; zero except in a ramp.
  var drift = 0.0
  var p11 = 0.0
  var p12 = 0.0
  var p13 = 0.0
  var p22 = 0.0
  var p23 = 0.0
  var p33 = 0.0
  /// The age of a new period: 1, decreasing to 0 over 48 ticks.
  var settling = 0.0

  /// True if the period's change is part of the state.
  var isRamp: Bool { p33 > 0 }

  /// Advances by a number of ticks.
  ///
  /// `wander` is the random walk of the period, as a fraction of it per tick.
  mutating func predict(_ steps: Int, wander: Double, jitter: Double) {
    let noise = wander * period + TickTuning.settlingNoise * jitter * settling
    let q = noise * noise
    for _ in 0..<steps {
      offset += period + 0.5 * drift
      period += drift
      p11 += p22 + 0.25 * p33 + 2 * p12 + p13 + p23 + q / 3
      p12 += p13 + p22 + 1.5 * p23 + 0.5 * p33 + q / 2
      p13 += p23 + 0.5 * p33
      p22 += 2 * p23 + p33 + q
      p23 += p33
      settling = settling > TickTuning.settled ? settling * TickTuning.settlingDecay : 0
    }
    count += Int64(steps)
  }

  /// The difference of an arrival from the predicted tick.
  struct Innovation {
    /// The distance from the prediction, in standard deviations of it.
    var normalized: Double
    /// The distance, scaled to the effect of jitter alone, in nanoseconds.
    var residual: Double
    /// The logarithm of the likelihood, except for a constant.
    var logLikelihood: Double
  }

  /// Nanoseconds from the predicted tick to an arrival.
  func distance(to arrival: Int64) -> Double { Double(arrival - anchor) - offset }

  /// Learns from the arrival of the predicted tick.
  ///
  /// Distances above 2.5 standard deviations count linearly instead of quadratically (Huber),
  /// because delays are one-sided and far from a normal distribution.
  mutating func update(_ arrival: Int64, jitter: Double, shortest: Double) -> Innovation {
    let variance = jitter * jitter
    let distance = distance(to: arrival)
    let spread = p11 + variance
    let z = distance / spread.squareRoot()
    let limited = abs(z) > TickTuning.huber ? spread * abs(z) / TickTuning.huber : spread
    let (k1, k2, k3) = (p11 / limited, p12 / limited, p13 / limited)
    offset += k1 * distance - Double(arrival - anchor)
    anchor = arrival
    period = max(period + k2 * distance, shortest)
    drift += k3 * distance
    p22 -= k2 * p12
    p23 -= k2 * p13
    p33 = max(p33 - k3 * p13, 0)
    p11 -= k1 * p11
    p12 -= k1 * p12
    p13 -= k1 * p13
    return Innovation(
      normalized: z, residual: z * jitter,
      logLikelihood: -0.5
        * (approximateLogarithm(spread / variance) + min(z * z, TickTuning.likelihoodMost)))
  }

  /// Learns from an arrival at any distance.
  mutating func updateUnlimited(_ arrival: Int64, jitter: Double) {
    let distance = distance(to: arrival)
    let spread = p11 + jitter * jitter
    let (k1, k2) = (p11 / spread, p12 / spread)
    offset += k1 * distance - Double(arrival - anchor)
    anchor = arrival
    period += k2 * distance
    p22 -= k2 * p12
    p11 -= k1 * p11
    p12 -= k1 * p12
  }

  /// Sets the change of the period and the correlation of errors to zero.
  mutating func decouple() {
    drift = 0
    p12 = 0
    p13 = 0
    p23 = 0
    p33 = 0
  }

  /// Begins at an arrival whose tick is accurate within the jitter.
  mutating func rephase(at arrival: Int64, jitter: Double, periodDeviation: Double) {
    decouple()
    anchor = arrival
    offset = 0
    p11 = jitter * jitter
    p22 = periodDeviation * periodDeviation
    settling = 0
  }
}

/// ln x of a normal number above zero, accurate to 10⁻⁶; likelihoods are compared in whole units.
@inline(__always)
private func approximateLogarithm(_ value: Double) -> Double {
  // `significand` and `exponent` are calls, which take more time than the rest.
  let bits = value.bitPattern
  let significand = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
  let exponent = Double(Int64(bits >> 52) - 1023)
  let x = (significand - 1.5) / (significand + 1.5)
  let square = x * x
  // ln(significand / 1.5) = 2·atanh x, and |x| ≤ 1/5.
  let rest = 2 * x * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7))))
  return exponent * 0.693_147_180_559_945 + 0.405_465_108_108_164 + rest
}
