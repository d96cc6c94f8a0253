// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// Notes an arrival before it is counted, if ticks may be missing before it.
  @inline(__always)
  mutating func watchGap(_ arrival: Int64) {
    if gap.isOpen {
      guard gap.isEarly(before: arrival) else { return gap.append(arrival) }
      gap.close()
    }
    if jitter > CountTuning.blurred * state.period { openGap(arrival) }
  }

  private mutating func openGap(_ arrival: Int64) {
    let late = state.distance(to: arrival) / state.period - 1
    guard late > CountTuning.gapLate || late < -CountTuning.gapLate,
      jitter < CountTuning.blurredOut * state.period, late < CountTuning.gapMost,
      !carrier.isCarrier, isLineKnown, wasEven
    else { return }
    if late < 0 {
      let interval = Double(arrival - lastArrival)
      guard interval < CountTuning.gapPair * state.period else { return }
    }
    gap.open(state, change, jitter: jitter)
    let last = arrival - recent.interval(ago: 0, length: 1)
    for ago in 0..<GapWatch.earlierCount {
      let off = Double(recent.interval(ago: 1, length: ago)) - state.distance(to: last)
      gap.note((off / state.period).rounded() * state.period - off, before: ago)
    }
    gap.append(arrival)
  }

  /// True if the tempo was steady and is known well enough to predict the next clocks.
  private var isLineKnown: Bool {
    let most = CountTuning.gapDeviation * state.period
    return tempoScatter.isSteady && state.p22 < most * most
      && recent.count > GapWatch.earlierCount + 1
  }

  /// Corrects the count if the arrivals since a gap prove that ticks were lost.
  ///
  /// All arrivals since are learnt again, with the corrected count. Without proof in time, but with
  /// all arrivals on the old line at a different count, the count is a guess until a message gives
  /// the position.
  mutating func settleGap() {
    guard gap.isDecidable else { return }
    guard gap.advantage > CountTuning.gapAgainstMotion else {
      guard gap.isFull else { return }
      gap.close()
      if isLossy || doubled > 0, let ticks = gap.ticksOnLine,
        gap.before.count + ticks != state.count
      {
        isCountGuessed = true
      }
      return
    }
    let watched = gap
    gap.close()
    doubt.close()
    let ticks = Int64(watched.count) + watched.lost
    let shift = watched.before.count + ticks - state.count
    if watched.lost > 0 { noteLoss(at: watched.before.count + ticks) }
    guard shift != 0 else { return }
    if watched.lost < 0 { doubled -= Int(shift) } else { lost += Int(shift) }
    state = watched.before
    recounted = nil
    history.removeAll()
    for index in 0..<watched.count {
      let steps = index == 0 ? 1 + Int(watched.lost) : 1
      guard steps > 0 else { continue }
      state.predict(steps, wander: wander, jitter: jitter)
      _ = state.update(watched[index], jitter: jitter, shortest: shortestPeriod)
    }
    change = watched.change
    change.clear()
    frames.restart()
    lateness = 0
    if followsMotion { moving.restart(period: state.period) }
  }
}
