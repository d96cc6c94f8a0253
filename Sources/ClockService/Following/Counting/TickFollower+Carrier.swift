// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// Notes an unusual interval if the frames of a carrier may have caused it, and judges the last
  /// one.
  ///
  /// - Returns: True if the arrival was counted.
  mutating func takeOdd(_ arrival: Int64) -> Bool {
    if let grid = recent.grid {
      if carrier.isCarrier || grid.deviation < tolerance(grid.frame) {
        noteOdd(Double(arrival - lastArrival) / grid.frame, grid)
      } else {
        carrier.passOffGrid()
      }
    }
    guard carrier.isCarrier else { return false }
    doubt.close()
    accept(arrival, 1)
    return true
  }

  /// Notes an unusual interval, in frames.
  private mutating func noteOdd(_ frames: Double, _ grid: (frame: Double, deviation: Double)) {
    let here = CarrierCount.Base(
      excess: state.count + 1 - arrived, lost: lost, doubled: doubled)
    let isExact = grid.deviation < CountTuning.exactMost
    if frames < CountTuning.oddMost {
      carrier.hold(.pair, here, isExact: isExact)
    } else if abs(frames - 2) < CountTuning.oddMost {
      carrier.hold(.gap, here, isExact: isExact)
    } else if abs(frames - frames.rounded()) > CountTuning.offMost || frames > 2.5 {
      apply(carrier.weaken(), grid)
    }
  }

  /// Judges the last odd interval.
  mutating func judgeOdd() {
    let verdict = carrier.judge()
    guard let grid = recent.grid else { return }
    apply(verdict, grid)
  }

  private func tolerance(_ frame: Double) -> Double {
    max(CountTuning.exactMost, CountTuning.gridPart * frame)
  }

  /// Changes the count after a verdict on what happened before.
  private mutating func apply(
    _ verdict: CarrierCount.Verdict, _ grid: (frame: Double, deviation: Double)
  ) {
    let excess: Int64
    let frame = grid.frame
    switch verdict {
    case .none: return
    case .takeBack(let base):
      (lost, doubled, excess) = (base.lost, base.doubled, base.excess)
      state.period = max(carrier.period(frame: frame), shortestPeriod)
    case .repair(let base, let clocks):
      (lost, excess) = (base.lost + Int(max(clocks, 0)), base.excess + clocks)
      doubled = base.doubled + Int(max(-clocks, 0))
      state.period = max(frame, shortestPeriod)
      // On a line that jitters, losses or doubles were taken for a carrier meanwhile.
      if clocks != 0, grid.deviation > CountTuning.exactMost { isCountGuessed = true }
    }
    gap.close()
    // The last arrival is counted, the newest is not yet.
    let steps = Int(arrived - 1 + excess - state.count)
    setJitter()
    rephase(
      at: lastArrival, steps: steps, periodDeviation: carrier.deviation(frame: state.period))
  }

  /// Sets the jitter: as learnt, or on a carrier from its frames, which are about a period long.
  mutating func setJitter() {
    let frame = carrier.isCarrier ? CountTuning.frameJitter * state.period : 0
    jitter = max(scatter, TickTuning.leastJitter, frame)
  }
}
