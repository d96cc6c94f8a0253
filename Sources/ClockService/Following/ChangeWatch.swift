// SPDX-License-Identifier: Apache-2.0

/// Two cumulative sums that detect ticks which keep arriving late, or early, of their prediction.
struct ChangeWatch: BitwiseCopyable, Sendable {
  private var late = 0.0
  private var early = 0.0
  /// The number of consecutive ticks with a sum near the threshold.
  var hot = 0
  /// Ticks since the last accepted change, and since a ramp began.
  var age = 1_000_000
  var rampAge = 0
  private var hasChanged = false
  /// The clipped error of the last tick.
  private var last = 0.0
  /// True if the tempo changed in the last 384 ticks, after it was first learnt.
  var isRecent: Bool { hasChanged && age < TickTuning.wanderSpan }
  /// The factor by which the period's random walk is wider than that of a steady master; at least
  /// 1.
  private(set) var wander = 1.0

  /// True if both sums are below a fraction of the threshold.
  func isBelow(_ part: Double) -> Bool { max(late, early) < part * TickTuning.alarm }

  mutating func add(_ normalized: Double, _ steps: Int) {
    let part = min(max(normalized, -TickTuning.clipped), TickTuning.clipped)
    late = max(0, late + part - TickTuning.forgiven)
    early = max(0, early - part - TickTuning.forgiven)
    age = min(age + steps, 1_000_000)
    adaptWander(part, steps)
    last = part
  }

  /// Widens the walk of a wandering master while consecutive prediction errors have the same sign,
  /// and narrows it while their signs differ: at the right width they are independent.
  private mutating func adaptWander(_ part: Double, _ steps: Int) {
    guard wander > 1 else { return }
    let agreement = min(max(part * last, -TickTuning.agreementMost), TickTuning.agreementMost)
    wander *= 1 + TickTuning.wanderLearning * agreement
    for _ in 0..<steps { wander *= TickTuning.wanderDecay }
    wander = min(max(1, wander), TickTuning.wanderMost)
  }

  mutating func clear() {
    late = 0
    early = 0
  }

  mutating func soften() {
    late *= TickTuning.softened
    early *= TickTuning.softened
  }

  /// Notes that the period was learnt again from the last intervals.
  mutating func restart() {
    age = 0
    clear()
  }

  /// Accepts a change.
  ///
  /// If it follows soon after another, the walk is widened.
  ///
  /// While the tempo has just been learnt, an apparent change may be part of learning.
  mutating func accept(isEarly: Bool) {
    if hasChanged, age < TickTuning.wanderSpan {
      wander = min(wander * TickTuning.wanderGain, TickTuning.wanderMost)
    }
    hasChanged = hasChanged || !isEarly
    age = 0
    clear()
  }
}
