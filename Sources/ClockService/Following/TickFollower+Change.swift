// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// What may have happened to the tempo.
  enum Hypothesis {
    /// It took another value.
    case step
    /// It began to change evenly.
    case ramp
    /// It stopped changing.
    case hold
    /// The master began anew: neither phase nor tempo is as before.
    case restart

    /// What it costs to assume it, in units of the logarithm.
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

  /// Goes on from the line that follows the motion: what the filter believed is out of date.
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

  /// A ramp whose slope cannot be told from zero is none.
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

  /// A change, how many ticks ago it began, and how much likelier it makes them.
  private struct Verdict {
    var hypothesis: Hypothesis
    var ago: Int
    var gain: Double
  }

  /// The change that best explains what came since; nil where none does well enough.
  ///
  /// What the frames of a bus do to clocks explains a distance of one frame; it takes more.
  ///
  /// - Complexity: up to some 3000 filter steps; most changes are soon seen to explain too little.
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

  /// A step to a faster tempo two ticks ago, where both are so early that chance does not do it.
  ///
  /// Late ticks show no slower tempo: two in a row may have been held up.
  private mutating func freshStep() -> Verdict? {
    guard history.count >= 2, history[ago: 1].distance < -leastChange,
      history[ago: 2].distance < 0
    else { return nil }
    var best: Verdict?
    let unchanged = history[ago: 1].logLikelihood + history[ago: 2].logLikelihood
    consider(.step, 2, unchanged, above: TickTuning.stepEvidence, &best)
    return best
  }

  /// How far off a tick must have come before a change is looked for, in nanoseconds.
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

  /// How likely a change makes the ticks since; nil where it is not more than a bound.
  ///
  /// No tick is likelier than its prediction: the sum only falls, and is given up where it may.
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

  /// The belief before the change, with what the change leaves open.
  ///
  /// The phase is as well known as before; only the period, or its slope, is learnt anew.
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
