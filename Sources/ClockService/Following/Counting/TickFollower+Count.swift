// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// Takes an arrival and decides which tick it is.
  @inline(__always)
  mutating func takeCounting(_ arrival: Int64) {
    if isBatched { return takeBatched(arrival) }
    carrier.pass()
    let distance = abs(Double(arrival - lastArrival) - state.period)
    let noise = min(TickTuning.unusualJitter * jitter, TickTuning.unusualMost * state.period)
    let jitter = carrier.isCarrier ? 0 : noise
    guard doubt.isOpen || distance > max(TickTuning.unusual * state.period, jitter) else {
      return accept(arrival, 1)
    }
    takeUnusual(arrival)
  }

  private mutating func takeUnusual(_ arrival: Int64) {
    let isNew = state.count < TickTuning.ticksBeforeRepair || recent.isBatched(false)
    if recent.isShort, isNew { return countOnly(arrival) }
    let interval = Double(arrival - lastArrival)
    if let grid = recent.grid, let oddity = oddity(interval, grid) {
      let wasCarrier = carrier.isCarrier
      let off = oddity == .pair ? interval : abs(interval - 2 * grid.frame)
      let change = carrier.add(oddity, isExact: max(off, grid.deviation) < CountTuning.exactMost)
      if change != 0 || !wasCarrier && carrier.isCarrier { changeCount(by: change) }
      setJitter()
      if wasCarrier, !carrier.isCarrier {
        guard change == 0 else { return goOnEvenly(arrival) }
        forgetLast()
        return accept(arrival, 1)
      }
      if carrier.isCarrier {
        doubt.close()
        return accept(arrival, 1)
      }
    } else if carrier.isCarrier, interval < TickTuning.mostGap * state.period {
      if let grid = recent.grid, grid.isOff(interval) { carrier.weaken() }
      if !carrier.isCarrier { forgetLast() }
      setJitter()
      return accept(arrival, 1)
    }
    if isDouble(arrival) { return }
    takeDoubtful(arrival)
  }

  /// Sets a double of the last clock aside: one that follows it closely, on a line that is even.
  ///
  /// Two in a row may be a faster tempo: both are looked at.
  private mutating func isDouble(_ arrival: Int64) -> Bool {
    guard !doubt.isOpen else { return false }
    let interval = Double(arrival - lastArrival) / state.period
    let place = state.distance(to: arrival) / state.period
    guard lastDouble <= lastArrival else { return reinstateDouble() }
    guard wasEven, interval < TickTuning.doubleMost, place < doublePlace else { return false }
    lastDouble = arrival
    doubled += 1
    carrier.repaired -= 1
    return true
  }

  /// Counts what was set aside as a double after all: no tick came a period after its tick.
  private mutating func reinstateDouble() -> Bool {
    doubled -= 1
    carrier.repaired += 1
    doubt.open(after: lastArrival, state, isRepairable: true, lost: lost, doubled: doubled)
    doubt.append(lastDouble)
    accept(lastDouble, 1)
    return false
  }

  /// Whether an interval is one that a carrier's frames may make, of about a clock each.
  private func oddity(_ interval: Double, _ grid: RecentArrivals.Grid) -> CarrierCount.Oddity? {
    guard grid.deviation < grid.tolerance else { return nil }
    let frames = interval / grid.frame
    if frames < CountTuning.oddMost { return .pair }
    return abs(frames - 2) < CountTuning.oddMost ? .gap : nil
  }

  /// What seemed to be a carrier is a line that loses or doubles clocks: its period is the usual
  /// interval.
  private mutating func goOnEvenly(_ arrival: Int64) {
    state.period = max(recent.grid?.frame ?? state.period, shortestPeriod)
    rephase(
      at: arrival, steps: 1, periodDeviation: TickTuning.trustedPeriod * state.period)
  }

  /// Learns nothing from the last tick: it was held up, and no frame of a carrier.
  private mutating func forgetLast() {
    guard history.count > 0 else { return }
    let last = history[ago: 1]
    setJitter()
    state = last.before
    state.predict(last.steps, wander: wander, jitter: jitter)
    history.removeAll()
    change.clear()
  }

  /// Changes the count after a verdict on what happened before.
  private mutating func changeCount(by ticks: Int64) {
    state.count += ticks
    lost += Int(ticks)
    doubt.close()
    history.removeAll()
    change.clear()
  }

  private mutating func takeDoubtful(_ arrival: Int64) {
    if !doubt.isOpen {
      doubt.open(
        after: lastArrival, state, isRepairable: wasEven, lost: lost, doubled: doubled)
    }
    doubt.append(arrival)
    if isAnotherTempo { return recount() }
    let interval = Double(arrival - lastArrival) / state.period
    let place = (state.distance(to: arrival) - 0.5 * state.drift) / state.period
    let steps = doubt.isRepairable ? likeliestSteps(interval, place) : 1
    guard steps > 0 else {
      setAside()
      if doubt.isFull { recount() }
      return
    }
    lost += steps - 1
    carrier.repaired += Int64(steps - 1)
    accept(arrival, steps)
    let isInOrder = abs(interval * state.period / doubt.before.period - 1) < orderTolerance
    doubt.inOrder = isInOrder ? doubt.inOrder + 1 : 0
    if doubt.inOrder >= proof { settle(at: arrival) }
    if doubt.isOpen, doubt.isFull { endDoubt(arrival) }
  }

  /// Ends a doubt that holds no more arrivals.
  private mutating func endDoubt(_ arrival: Int64) {
    settle(at: arrival, proof: CountDoubt.capacity / 2)
    guard doubt.isOpen else { return }
    let change = abs(state.period / doubt.before.period - 1)
    if doubt.isRepairable, change < TickTuning.unchanged {
      doubt.close()
    } else {
      recount()
    }
  }

  /// So many ticks in a row as before prove a repair.
  private var proof: Int {
    let part = jitter / (TickTuning.proofPart * doubt.before.period)
    return max(TickTuning.proof, Int(min(part * part, TickTuning.proofMost)))
  }

  /// What ticks in a row may be off the period before, as a part of it.
  private var orderTolerance: Double {
    min(
      max(TickTuning.toleranceJitter * jitter / state.period, TickTuning.toleranceLeast),
      TickTuning.placeMost)
  }

  /// Ticks come as often as before the doubt: where a whole number of periods passed since, so
  /// many ticks there were, lost or not.
  ///
  /// If they do not come quite as often, each arrival was a tick, or there is no verdict yet. A
  /// clock is taken away only where two were as close as doubles, and added only where there was a
  /// gap.
  private mutating func settle(at arrival: Int64, proof: Int? = nil) {
    guard let ticks = doubt.ticks(to: arrival, proof: proof ?? self.proof, jitter: jitter),
      ticks >= doubt.count || doubt.hasPair, ticks <= doubt.count || doubt.hasGap
    else {
      if !isUncertain, doubt.inOrder >= max(TickTuning.patience, self.proof + 2) { doubt.close() }
      return
    }
    let before = doubt.before
    doubt.close()
    let shift = Int(before.count + ticks - state.count)
    if shift != 0 {
      state.period = before.period
      lost += shift
      carrier.repaired += Int64(shift)
      rephase(
        at: arrival, steps: shift, periodDeviation: max(before.p22, 0).squareRoot())
    }
    if lost > doubt.lost { lastLoss = state.count }
  }

  /// What an interval may be off as a part of the period.
  private var tolerance: Double {
    let scatter = TickTuning.toleranceJitter * jitter / state.period
    return min(max(scatter, TickTuning.toleranceLeast), TickTuning.toleranceMost)
  }

  /// Which tick after the last one an arrival is, if the tempo is as before; 0 is none of its own.
  ///
  /// The interval and the place are in periods, from the last arrival and from the last tick.
  private func likeliestSteps(_ interval: Double, _ place: Double) -> Int {
    let whole = place.rounded()
    // What was counted as lost may only be late.
    if lost > doubt.lost, whole < 2 { return whole < 1 ? 0 : 1 }
    if interval < TickTuning.doubleMost { return place < doublePlace ? 0 : 1 }
    let spread = TickTuning.toleranceJitter * jitter / state.period
    let most = min(max(spread, TickTuning.toleranceLeast), TickTuning.placeMost)
    let isGap = abs(place - whole) < most && abs(interval - whole) < max(TickTuning.strayMost, most)
    return whole >= 2 && isGap && place > 1 + reach ? Int(whole) : 1
  }

  /// How far jitter takes a tick, as a part of the period.
  private var reach: Double { TickTuning.reachJitter * jitter / state.period }

  /// A double is before this part of the period after its tick.
  private var doublePlace: Double { min(TickTuning.doublePlace, 1 - reach) }

  /// An arrival that is no tick of its own: one that was counted as lost came late, or a double.
  private mutating func setAside() {
    if lost > doubt.lost { lost -= 1 } else { doubled += 1 }
    carrier.repaired -= 1
    doubt.inOrder = 0
  }

  /// Whether most of the last intervals are the period.
  private var wasEven: Bool {
    guard state.count >= TickTuning.ticksBeforeRepair, history.count > TickTuning.evenSpan,
      !moving.isMoving, jitter < TickTuning.evenMost * state.period
    else { return false }
    let isNoisy = jitter > TickTuning.evenSure * state.period
    guard !isNoisy || moving.isSteadyBest else { return false }
    let most = TickTuning.evenPart * state.period + TickTuning.evenJitter * jitter
    var even = 0
    for ago in 1...TickTuning.evenSpan {
      let entry = history[ago: ago]
      let interval = Double(entry.arrival - history[ago: ago + 1].arrival)
      if abs(interval / Double(entry.steps) - state.period) < most { even += 1 }
    }
    return even >= TickTuning.evenLeast
  }

  /// Whether even intervals of another length show that the tempo changed, and nothing was lost.
  private var isAnotherTempo: Bool {
    if doubt.isFarOff(tolerance: tolerance, jitter: jitter) { return true }
    let even = doubt.evenIntervals(tolerance: TickTuning.evenPart, jitter: jitter)
    guard even >= 2 else { return false }
    let interval = Double(doubt[doubt.count - 1] - doubt[doubt.count - 2]) / doubt.before.period
    guard doubt.isRepairable else { return true }
    // Two are no proof: a late tick and a lost one make two intervals of one and a half.
    guard interval < TickTuning.longest else { return true }
    // Every other tick may be lost, where ticks are lost at all.
    let isLossy = state.count - lastLoss < TickTuning.lossyTicks
    let isEveryOther = isLossy && abs(interval - 2) < tolerance
    return even >= (isEveryOther ? TickTuning.tempoProofLossy : TickTuning.tempoProof)
  }

  /// Takes every arrival in doubt as a tick and learns the period from them alone.
  private mutating func recount() {
    let arrivals = doubt
    doubt.close()
    let kept = state.count
    (lost, doubled) = (arrivals.lost, arrivals.doubled)
    state = arrivals.before
    state.decouple()
    state.p11 += TickTuning.openPhase * TickTuning.openPhase * jitter * jitter
    state.p22 = TickTuning.openRecount * TickTuning.openRecount * state.period * state.period
    state.settling = 1
    history.removeAll()
    for index in 0..<arrivals.count {
      history.append(.init(arrival: arrivals[index], before: state, logLikelihood: -0.5))
      state.predict(1, wander: wander, jitter: jitter)
      state.updateUnlimited(arrivals[index], jitter: jitter)
    }
    state.period = max(state.period, shortestPeriod)
    carrier.repaired += state.count - kept
    if followsMotion { moving.restart(period: state.period) }
    lastArrival = arrivals[arrivals.count - 1]
    lateness = 0
    change.clear()
    frames.restart()
  }
}
