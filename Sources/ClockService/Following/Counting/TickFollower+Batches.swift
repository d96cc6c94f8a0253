// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// Notes an arrival, and detects clocks that arrive in batches.
  mutating func watchBatches(_ arrival: Int64) {
    let mean = recent.isBatched(batchedLeast) ? recent.meanPeriod : nil
    recent.add(arrival, period: mean ?? state.period, shortest: shortestPeriod)
    let isNow = recent.isBatched(batchedLeast)
    guard isNow != isBatched else { return }
    check.restart(excess: state.count - arrived)
    guard isNow else {
      isBatched = false
      // On a line that doubles clocks, doubles may have been taken for a batch.
      if doubled > 0 { isCountGuessed = true }
      return
    }
    guard let period = recent.meanPeriod, period >= shortestPeriod else { return }
    isBatched = true
    carrier.forget()
    gap.close()
    state.period = period
    rephase(at: lastArrival, steps: 0, periodDeviation: TickTuning.resumedPeriod * period)
    batch = Batch(self)
  }

  /// The least number of short intervals among 32 that makes clocks batches.
  ///
  /// On a line that doubles clocks, many are short by chance, but never two in a row.
  var batchedLeast: Int {
    @inline(__always)
    get {
      if isBatched { return CountTuning.unbatched }
      return doubled > 0 ? CountTuning.batchedNotDoubled : CountTuning.batched
    }
  }

  /// The state before a batch, and the number of its clocks so far.
  struct Batch: BitwiseCopyable, Sendable {
    var state = TickState()
    var moving = MovingTicks()
    var arrival: Int64 = 0
    var steps = 0

    init() {}

    init(_ follower: TickFollower) {
      (state, moving, arrival) = (follower.state, follower.moving, follower.lastArrival)
    }
  }

  /// Processes a clock of a batch, whose last clock is the one in time.
  ///
  /// A batch is one arrival of several ticks. After each of its clocks the state is learnt again
  /// from the state before the batch.
  mutating func takeBatched(_ arrival: Int64) {
    if recent.isShort {
      (state, moving) = (batch.state, batch.moving)
    } else {
      change.clear()
      batch = Batch(self)
    }
    batch.steps += 1
    state.predict(batch.steps, wander: wander, jitter: jitter)
    lateness = state.distance(to: arrival)
    _ = state.update(arrival, jitter: jitter, shortest: shortestPeriod)
    moving.add(
      steps: batch.steps, elapsed: Double(arrival - batch.arrival), miss: lateness,
      shortest: shortestPeriod, isKnownToMove: false)
    lastArrival = arrival
    history.removeAll()
    frames.restart()
  }

  /// Counts a clock that arrives at the same instant as the previous one, without learning from it.
  mutating func countOnly(_ arrival: Int64) {
    if doubt.isOpen {
      state.count = doubt.before.count + Int64(doubt.count)
      (lost, doubled) = (doubt.lost, doubt.doubled)
      doubt.close()
    }
    gap.close()
    state.count += 1
    state.anchor = arrival
    state.offset = 0
    lastArrival = arrival
    moving.restart(period: state.period)
    history.removeAll()
  }
}
