// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// A change of tempo to a whole number of periods.
  ///
  /// Losses look the same until an interval equals the old period again.
  struct Recount: BitwiseCopyable, Sendable {
    /// The state before the first of the long intervals.
    var before: TickState
    var lost: Int
    /// Arrivals since the decision.
    var age = 0
  }

  /// Undoes the last change of tempo if an arrival shows that ticks were lost instead: it is one
  /// old period after the last arrival, and a whole number of them after the change.
  ///
  /// - Returns: True if the arrival was counted.
  mutating func takeBackRecount(_ arrival: Int64) -> Bool {
    guard var recount = recounted else { return false }
    recount.age += 1
    recounted = recount.age < CountTuning.recountAge ? recount : nil
    let before = recount.before
    let most = min(
      max(TickTuning.toleranceJitter * jitter / before.period, TickTuning.toleranceLeast),
      TickTuning.toleranceMost)
    let place = before.distance(to: arrival) / before.period
    let interval = Double(arrival - lastArrival) / before.period
    guard state.period > CountTuning.recountLeast * before.period, abs(interval - 1) < most,
      abs(place - place.rounded()) < most
    else { return false }
    let arrivals = state.count + 1 - before.count
    let ticks = Int64(min(max(place.rounded(), 1), 1e9))
    recounted = nil
    lost = recount.lost + max(Int(ticks - arrivals), 0)
    state.period = before.period
    rephase(
      at: arrival, steps: Int(before.count + ticks - state.count),
      periodDeviation: max(before.p22, 0).squareRoot())
    noteLoss(at: state.count)
    return true
  }
}
