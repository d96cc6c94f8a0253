// SPDX-License-Identifier: Apache-2.0

extension CountDoubt {
  /// What the arrivals say about the count, if the tempo is as before.
  struct Verdict {
    /// Ticks beyond those that the arrivals were taken for.
    var ticks: Int
    /// The logarithm of how much likelier that is than a new tempo that began at any instant.
    var evidence: Double
  }

  /// Weighs two hypotheses about the last arrivals; nil as long as there are few, or they are on no line.
  ///
  /// If ticks were lost or doubled, the arrivals are a whole number of periods off, and nothing else is
  /// free. Otherwise their phase and period are, which fits any arrivals better: what is known of the two
  /// afterwards, as a part of what they could have been, is the price.
  ///
  /// Source: D. MacKay, Information Theory, Inference, and Learning Algorithms, 2003, chapter 28.
  func verdict(jitter: Double) -> Verdict? {
    guard count - first >= CountTuning.leastWeighed else { return nil }
    let (last, variance) = (tick(count - 1), jitter * jitter)
    // Of ticks before the last one, of nanoseconds after the line, and of their squares and products.
    var (number, places, placesSquared) = (0.0, 0.0, 0.0)
    var (sum, moment, square) = (0.0, 0.0, 0.0)
    for index in first..<count where tick(index) > tick(index - 1) {
      let place = Double(tick(index) - last)
      let off = before.distance(to: self[index]) - Double(tick(index)) * before.period
      number += 1
      places += place
      placesSquared += place * place
      sum += off
      moment += place * off
      square += off * off
    }
    guard number >= Double(CountTuning.leastWeighed) else { return nil }
    let (middle, mean) = (places / number, sum / number)
    let spread = placesSquared - places * middle
    let slope = (moment - places * mean) / spread
    let rest = square - number * mean * mean - spread * slope * slope
    guard rest < CountTuning.mostScatter * (number - 2) * variance else { return nil }
    let ticks = (mean / before.period).rounded()
    let miss = mean - ticks * before.period
    let age = Double(last) + middle
    let phases = variance / number + before.p11 + age * (2 * before.p12 + age * before.p22)
    let periods = variance / spread + before.p22
    let misfit = 0.5 * (miss * miss / phases + slope * slope / periods)
    // A phase anywhere in a period; a period within 0.3 of the one before.
    let part = TickTuning.openPeriod / 2.5 * before.period * before.period
    let price = approximateLogarithm(part / (phases * periods).squareRoot())
    return Verdict(ticks: Int(ticks), evidence: price - misfit)
  }
}

extension TickFollower {
  /// Whether one tick is off the next by more than a part of a period, while the tempo stays as it is.
  var isRoughAndSteady: Bool {
    tremble > CountTuning.rough * state.period && change.age > CountTuning.steadyTicks
      && change.isBelow(TickTuning.calm) && !moving.isMoving && !carrier.isCarrier
      && state.count > Int64(CountTuning.steadyTicks)
  }

  /// Whether a tick is off its prediction by more than jitter explains.
  func isRoughlyOff(_ arrival: Int64) -> Bool {
    abs(state.distance(to: arrival) - state.period) > CountTuning.roughUnusual * jitter
  }

  /// Takes an arrival for the likeliest tick, and decides by the likelihood of the last ones.
  mutating func takeRough(_ arrival: Int64) {
    let interval = Double(arrival - lastArrival) / state.period
    let place = (state.distance(to: arrival) - 0.5 * state.drift) / state.period
    let steps = roughSteps(interval, place)
    doubt.assign(steps)
    if steps == 0 {
      if lost > doubt.lost { lost -= 1 } else { doubled += 1 }
    } else {
      lost += steps - 1
      accept(arrival, steps)
    }
    guard let verdict = doubt.verdict(jitter: jitter) else { return endRough() }
    doubt.isSuspect = verdict.ticks != 0 && verdict.evidence > -CountTuning.proven
    if verdict.evidence > CountTuning.proven || doubt.isFull && verdict.evidence > 0 {
      settle(verdict.ticks)
    } else {
      endRough()
    }
  }

  /// Which tick after the last one an arrival is, by the periods since the last arrival and the last tick.
  private func roughSteps(_ interval: Double, _ place: Double) -> Int {
    if interval < TickTuning.doubleMost { return place < TickTuning.doublePlace ? 0 : 1 }
    return interval > TickTuning.leastGap ? max(Int(place.rounded()), 1) : 1
  }

  private mutating func endRough() {
    if doubt.isOpen, doubt.isFull { endDoubt() }
  }

  /// Ends a doubt with a number of ticks more than the arrivals were taken for.
  private mutating func settle(_ ticks: Int) {
    let arrivals = doubt
    let first = arrivals.first
    // A tick is taken away only if two were as close as doubles, and added only if there was a gap.
    let isPlausible = ticks == 0 || (ticks > 0 ? arrivals.hasGap : arrivals.hasPair)
    guard isPlausible, arrivals.tick(first) - arrivals.tick(first - 1) + ticks >= 0 else {
      return endRough()
    }
    doubt.close()
    if ticks != 0 { replay(arrivals, adding: ticks, at: first) }
    noteLosses(lost - arrivals.lost)
  }

  /// Learns from the arrivals of a doubt anew, with ticks added before one of them.
  private mutating func replay(_ arrivals: CountDoubt, adding ticks: Int, at first: Int) {
    if ticks > 0 || lost > arrivals.lost { lost += ticks } else { doubled -= ticks }
    state = arrivals.before
    history.removeAll()
    change.clear()
    frames.restart()
    for index in 0..<arrivals.count {
      let steps =
        arrivals.tick(index) - arrivals.tick(index - 1) + (index == first ? ticks : 0)
      guard steps > 0 else { continue }
      history.append(
        .init(arrival: arrivals[index], steps: steps, before: state, logLikelihood: -0.5))
      state.predict(steps, wander: wander, jitter: jitter)
      lateness = state.distance(to: arrivals[index])
      _ = state.update(arrivals[index], jitter: jitter, shortest: shortestPeriod)
    }
    if followsMotion { moving.restart(period: state.period) }
  }
}
