// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// The tempo that is likelier if the next tick does not come where this one expects it.
  ///
  /// A long interval may hold lost ticks, or end with a late one. Either way the next tick comes in
  /// time. If it does not, the tempo fell, and the interval was one tick.
  @inline(__always)
  func slower(
    than period: Double, _ anchor: Int64, _ offset: Double, _ origin: Int64
  ) -> TickLine.Slower? {
    guard followsMotion else { return nil }
    let interval = Double(recent.lastInterval)
    let least = max(SlowerTuning.least * period, period + SlowerTuning.leastJitter * jitter)
    guard interval > least else { return nil }
    return longInterval(interval, period, anchor, offset, origin)
  }

  private func longInterval(
    _ interval: Double, _ period: Double, _ anchor: Int64, _ offset: Double, _ origin: Int64
  ) -> TickLine.Slower? {
    guard interval < SlowerTuning.most * period, !isLossy, !carrier.isCarrier, !isBatched,
      state.count >= TickTuning.ticksBeforeRepair
    else { return nil }
    let count = doubt.isOpen ? doubt.before.count + Int64(doubt.count) : state.count
    let next = anchor + Int64(offset + period)
    let start = max(next, lastArrival) + Int64(SlowerTuning.overdue * jitter)
    return TickLine.Slower(
      start: start, count: count - origin, anchor: lastArrival, period: interval)
  }
}

/// The constants of a tempo that may have fallen.
enum SlowerTuning {
  /// How long an interval must be, in periods and in units of the jitter beyond one, and at most.
  static let least = 1.2
  static let leastJitter = 5.0
  static let most = 12.0
  /// How late the next tick must be, in units of the jitter.
  static let overdue = 2.0
}
