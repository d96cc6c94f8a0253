// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// A possible change of the tempo.
  enum Hypothesis {
    /// The tempo changed to another value.
    case step
    /// The tempo began to change evenly.
    case ramp
    /// The tempo stopped changing.
    case hold
    /// The master restarted: neither phase nor tempo is as before.
    case restart

    /// The penalty for assuming it, in units of the logarithm.
    var penalty: Double {
      switch self {
      case .hold: TickTuning.holdPenalty
      case .step, .ramp: TickTuning.changePenalty
      case .restart: TickTuning.restartPenalty
      }
    }
  }

  mutating func watchForChange(_ innovation: TickState.Innovation, _ steps: Int) {
    if state.isRamp { endEmptyRamp(steps) }
    change.add(innovation.normalized, steps)
    guard state.count >= TickTuning.ticksBeforeAlarm else { return change.clear() }
    guard !change.isBelow(TickTuning.stepAlarm) else { return }
    let isAlarm = !change.isBelow(1)
    if moving.isMoving, change.age < TickTuning.ticksOfMotion {
      if isAlarm { adoptMotion() }
      return
    }
    guard let verdict = isAlarm ? likeliestChange() ?? freshStep() : freshStep() else {
      if isAlarm { change.soften() }
      return
    }
    if followsMotion, change.age > TickTuning.ticksOfMotion { moving.trustSteady() }
    change.accept(isEarly: state.count < TickTuning.ticksBeforeWander)
    change.rampAge = 0
    replay(from: verdict.ago, assuming: verdict.hypothesis)
  }

  /// Continues from the line that follows the motion, because the filter's state is out of date.
  private mutating func adoptMotion() {
    let line = moving.line
    state.rephase(
      at: lastArrival, jitter: jitter, periodDeviation: TickTuning.openMotion * line.period)
    state.offset = line.offset
    state.period = max(line.period, shortestPeriod)
    state.settling = 1
    history.removeAll()
    change.accept(isEarly: true)
  }

  /// Ends a ramp whose slope cannot be distinguished from zero.
  private mutating func endEmptyRamp(_ steps: Int) {
    change.rampAge += steps
    guard change.rampAge > TickTuning.rampAge,
      state.drift * state.drift < TickTuning.rampEvidence * state.p33
    else { return }
    state.drift = 0
    state.p13 = 0
    state.p23 = 0
    state.p33 = 0
  }

  /// A change, the number of ticks since it began, and the gain in likelihood.
  private struct Verdict {
    var hypothesis: Hypothesis
    var ago: Int
    var gain: Double
  }

  /// The change that best explains the last ticks; nil if the gain of every change is too small.
  ///
  /// The frames of a bus explain a distance of one frame; a change needs more than that.
  ///
  /// - Complexity: up to about 3000 filter steps; most changes are soon found to explain too
  ///   little.
  private mutating func likeliestChange() -> Verdict? {
    var best: Verdict?
    var (unchanged, farthest) = (0.0, 0.0)
    let least = leastChange
    for ago in 1...min(history.count, TickTuning.memory) {
      farthest = max(farthest, abs(history[ago: ago].distance))
      unchanged += history[ago: ago].logLikelihood
      guard farthest > least else { continue }
      guard ago >= 2, ago % TickTuning.stride(ago) == 0 else { continue }
      consider(.step, ago, unchanged, above: TickTuning.evidence, &best)
      if ago >= TickTuning.leastRamp {
        consider(.ramp, ago, unchanged, above: TickTuning.evidence, &best)
      }
      if history[ago: ago].before.drift != 0 {
        consider(.hold, ago, unchanged, above: TickTuning.evidence, &best)
      }
      consider(.restart, ago, unchanged, above: TickTuning.evidence, &best)
    }
    return best
  }

  /// A step to a faster tempo two ticks ago, if both ticks are too early for chance.
  ///
  /// Late ticks do not show a slower tempo: two consecutive ones may have been delayed.
  private mutating func freshStep() -> Verdict? {
    guard history.count >= 2, history[ago: 1].distance < -leastChange,
      history[ago: 2].distance < 0
    else { return nil }
    var best: Verdict?
    let unchanged = history[ago: 1].logLikelihood + history[ago: 2].logLikelihood
    consider(.step, 2, unchanged, above: TickTuning.stepEvidence, &best)
    return best
  }

  /// The least prediction error for which changes are considered, in nanoseconds.
  private var leastChange: Double {
    let sway = tremble < TickTuning.quiet ? TickTuning.sway : TickTuning.frame
    return max(sway, TickTuning.changeJitter * jitter)
  }

  private mutating func consider(
    _ hypothesis: Hypothesis, _ ago: Int, _ unchanged: Double, above evidence: Double,
    _ best: inout Verdict?
  ) {
    let cost = unchanged + hypothesis.penalty
    let least = best?.gain ?? evidence
    guard let sum = logLikelihood(of: hypothesis, from: ago, above: least + cost) else { return }
    best = Verdict(hypothesis: hypothesis, ago: ago, gain: sum - cost)
  }

  /// The likelihood of the ticks since a change; nil if it does not exceed a bound.
  ///
  /// The sum of logarithms only decreases, so the calculation ends as soon as it is below the
  /// bound.
  private mutating func logLikelihood(
    of hypothesis: Hypothesis, from ago: Int, above least: Double
  ) -> Double? {
    guard least < 0 else { return nil }
    var trial = opened(history[ago: ago].before, for: hypothesis)
    var sum = 0.0
    for index in stride(from: ago, to: 0, by: -1) {
      trial.predict(history[ago: index].steps, wander: wander, jitter: jitter)
      let arrival = history[ago: index].arrival
      sum += trial.update(arrival, jitter: jitter, shortest: shortestPeriod).logLikelihood
      guard sum > least else { return nil }
    }
    return sum
  }

  /// The state before the change, with the uncertainty from the change.
  ///
  /// The phase is as well known as before; only the period, or its slope, is learnt again.
  private mutating func opened(_ before: TickState, for hypothesis: Hypothesis) -> TickState {
    var state = before
    let slope = TickTuning.ramp * state.period
    switch hypothesis {
    case .step:
      state.decouple()
      state.p22 = TickTuning.openPeriod * TickTuning.openPeriod * state.period * state.period
      state.p11 += TickTuning.openPhase * TickTuning.openPhase * jitter * jitter
    case .ramp:
      state.drift = 0
      state.p13 = 0
      state.p23 = 0
      state.p33 = slope * slope
      state.p22 += slope * slope
    case .restart:
      state.decouple()
      state.p11 = TickTuning.openPeriod * TickTuning.openPeriod * state.period * state.period
      state.p22 = state.p11
    case .hold:
      state.drift = 0
      state.p13 = 0
      state.p23 = 0
      state.p33 = 0
      state.p22 += TickTuning.openHold * TickTuning.openHold * slope * slope
    }
    return state
  }

  private mutating func replay(from ago: Int, assuming hypothesis: Hypothesis) {
    state = opened(history[ago: ago].before, for: hypothesis)
    state.settling = 1
    for index in stride(from: ago, to: 0, by: -1) {
      let entry = history[ago: index]
      history[ago: index].before = state
      state.predict(entry.steps, wander: wander, jitter: jitter)
      history[ago: index].distance = state.distance(to: entry.arrival)
      history[ago: index].logLikelihood =
        state.update(entry.arrival, jitter: jitter, shortest: shortestPeriod).logLikelihood
    }
  }
}
