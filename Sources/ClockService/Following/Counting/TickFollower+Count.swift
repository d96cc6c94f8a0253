// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// Processes an arrival and decides which tick it is.
  @inline(__always)
  mutating func takeCounting(_ arrival: Int64) {
    arrived += 1
    if isBatched { return takeBatched(arrival) }
    watchGap(arrival)
    if followsMotion { watchCount() }
    takeOne(arrival)
    if gap.isOpen { settleGap() }
    if followsMotion, check.pass(excess: state.count - arrived) { isCountGuessed = true }
  }

  /// Checks the count of an earlier interval, and notes the newest one.
  @inline(__always)
  private mutating func watchCount() {
    let interval = Double(recent.lastInterval)
    let isOdd =
      interval > CountTuning.oddLong * state.period
      || interval < CountTuning.oddShort * state.period
    let isBlurring = jitter > CountTuning.blurred * state.period
    if check.note(isOdd && isBlurring, isMoving: moving.isMoving), !carrier.isCarrier {
      // If the line loses or doubles clocks, others may be undetected.
      let missing = check.judge(
        recent, period: state.period, jitter: jitter,
        corrects: !isFaulty && state.count > CountTuning.correctionLeast)
      if missing > 0 { addMissing(missing) }
    }
  }

  /// Corrects the count of all arrivals since a gap; the tempo and the next tick are as they were.
  private mutating func addMissing(_ missing: Int) {
    doubt.close()
    gap.close()
    recounted = nil
    history.removeAll()
    state.count += Int64(missing)
    lost += missing
    noteLoss(at: state.count)
  }

  @inline(__always)
  private mutating func takeOne(_ arrival: Int64) {
    carrier.pass()
    if carrier.isDue { judgeOdd() }
    let distance = abs(Double(arrival - lastArrival) - state.period)
    let least = TickTuning.unusual * state.period
    if distance > least {
      if isEarlyBatch { return countOnly(arrival) }
      if takeOdd(arrival) { return }
    }
    if recounted != nil, takeBackRecount(arrival) { return }
    let isUsual = carrier.isCarrier || distance <= max(least, TickTuning.unusualJitter * jitter)
    guard doubt.isOpen || !isUsual else { return accept(arrival, 1) }
    takeDoubtful(arrival)
  }

  /// True if a clock arrives at the same instant as the last one before batches could be detected.
  private var isEarlyBatch: Bool {
    recent.isShort && (state.count < TickTuning.ticksBeforeRepair || recent.isBatched(batchedLeast))
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
    let steps = doubt.isRepairable && !isBlurred ? likeliestSteps(interval, place) : 1
    guard steps > 0 else {
      setAside()
      if doubt.isFull { endDoubt() }
      return
    }
    lost += steps - 1
    accept(arrival, steps)
    let isInOrder = abs(interval * state.period / doubt.before.period - 1) < tolerance
    doubt.inOrder = isInOrder ? doubt.inOrder + 1 : 0
    if doubt.inOrder >= TickTuning.proof { settle(at: arrival) }
    if doubt.isOpen, doubt.isFull { endDoubt() }
  }

  /// Ends a doubt that is full: if the tempo is the same as before, the count is the more likely
  /// one.
  private mutating func endDoubt() {
    let before = doubt.before
    // At a faster tempo that many intervals would not be as short as a double's.
    let isDoubling = doubled - doubt.doubled > CountTuning.doublesInDoubt
    // Soon after a change of tempo the period is not well known.
    let part = isDoubling ? CountTuning.unchangedDoubling : TickTuning.unchanged
    let most = part * before.period + 2 * max(before.p22, 0).squareRoot()
    guard doubt.isRepairable, abs(state.period - before.period) < most else {
      if isDoubling { isCountGuessed = true }
      return recount()
    }
    doubt.close()
  }

  /// Settles a doubt when ticks arrive at the same rate as before it: if a whole number of periods
  /// has passed, that is the number of ticks, whether lost or not.
  ///
  /// Otherwise each arrival counts as one tick, or the decision waits for more arrivals.
  private mutating func settle(at arrival: Int64) {
    // No more clocks are removed than were as close as doubles, or added than gaps may have lost.
    let count = Int64(doubt.count)
    guard !isBlurred || isRepaired, let ticks = doubt.ticks(to: arrival),
      ticks >= count - doubt.mostDoubled, ticks <= count + doubt.mostLost
    else {
      if !isUncertain, doubt.inOrder >= TickTuning.patience { doubt.close() }
      return
    }
    let before = doubt.before
    doubt.close()
    let shift = Int(before.count + ticks - state.count)
    if shift != 0 {
      state.period = before.period
      lost += shift
      rephase(
        at: arrival, steps: shift, periodDeviation: max(before.p22, 0).squareRoot())
    }
    // One loss and one double may also be jitter.
    if lost - doubt.lost > doubled - doubt.doubled { noteLoss(at: state.count) }
  }

  /// Notes a proven loss: lines that lose ticks lose more, and the distance between losses is
  /// learnt.
  mutating func noteLoss(at count: Int64) {
    let distance = Double(min(count - max(lastLoss, 0), TickTuning.lossyTicks))
    lossDistance += CountTuning.lossLearning * (distance - lossDistance)
    lastLoss = count
  }

  /// The tolerance of an interval as a fraction of the period.
  var tolerance: Double {
    let scatter = TickTuning.toleranceJitter * jitter / state.period
    return min(max(scatter, TickTuning.toleranceLeast), TickTuning.toleranceMost)
  }

  /// The number of ticks from the last one to an arrival, if the tempo is the same as before; 0 if
  /// the arrival is not a tick.
  ///
  /// The interval and the place are in periods, from the last arrival and from the last tick.
  private func likeliestSteps(_ interval: Double, _ place: Double) -> Int {
    let whole = place.rounded()
    // A tick that was counted as lost may only be late.
    if lost > doubt.lost, whole < 2 { return whole < 1 ? 0 : 1 }
    if interval < TickTuning.doubleMost { return place < TickTuning.doublePlace ? 0 : 1 }
    let isGap = abs(place - whole) < tolerance && abs(interval - whole) < TickTuning.strayMost
    return whole >= 2 && isGap ? Int(whole) : 1
  }

  /// Drops an arrival that is not a tick: one that was counted as lost and is late, or a double.
  private mutating func setAside() {
    if lost > doubt.lost { lost -= 1 } else { doubled += 1 }
    doubt.inOrder = 0
  }

  /// True if most of the last intervals equal the period.
  var wasEven: Bool {
    guard state.count >= TickTuning.ticksBeforeRepair else { return false }
    let most = TickTuning.evenPart * state.period + TickTuning.evenJitter * jitter
    return recent.even(period: state.period, most: most) >= TickTuning.evenLeast
  }

  /// True if even intervals of another length show that the tempo changed, and nothing was lost.
  private var isAnotherTempo: Bool {
    // Two losses in a row and a late tick result in the same two intervals, which are far longer.
    if !isLossy, doubt.isFarOff(tolerance: tolerance, jitter: jitter) { return true }
    let even = doubt.evenIntervals(tolerance: TickTuning.evenPart, jitter: jitter)
    guard even >= 2 else { return false }
    let interval = Double(doubt[doubt.count - 1] - doubt[doubt.count - 2]) / doubt.before.period
    guard doubt.isRepairable else { return true }
    // If ticks are lost at all, any whole number of periods may be losses, even every other tick.
    let isWhole = interval > 1.5 && abs(interval - interval.rounded()) < tolerance
    if isLossy || doubt.hasResumed, isWhole {
      let isWorse = lossDistance < CountTuning.lossyDistance || doubt.hasResumed
      return even >= (isWorse ? CountTuning.tempoProofWorse : TickTuning.tempoProofLossy)
    }
    // Two are not proof: a late tick and a lost one make two intervals of one and a half, and every
    // other tick may be lost. The published state is not changed in the meantime.
    return interval >= TickTuning.longest || even >= TickTuning.tempoProof
  }

  /// True if ticks were added or removed in a doubt that is not settled.
  var isRepaired: Bool { doubt.isOpen && state.count - doubt.before.count != doubt.count }

  /// True if jitter alone makes intervals like those of lost or doubled ticks.
  ///
  /// If the filter lags, learnt jitter is too high, but the part from one tick to the next is right.
  var isBlurred: Bool {
    min(jitter, tremble) > CountTuning.blurredIntervals * state.period
  }

  /// True if the line lost ticks not long ago, or ever doubled any.
  var isFaulty: Bool { doubled > 0 || isLossy }

  /// True if the line lost ticks not long ago.
  var isLossy: Bool { state.count - lastLoss < TickTuning.lossyTicks }

  /// Takes every arrival in doubt as a tick and learns the period from them alone.
  private mutating func recount() {
    let arrivals = doubt
    let isReversible = doubt.isRepairable && doubt.isWhole(tolerance: tolerance)
    doubt.close()
    (lost, doubled) = (arrivals.lost, arrivals.doubled)
    recounted = isReversible ? Recount(before: arrivals.before, lost: lost) : nil
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
    lastArrival = arrivals[arrivals.count - 1]
    lateness = 0
    change.restart()
    frames.restart()
  }
}
