// SPDX-License-Identifier: Apache-2.0

extension TickFollower {
  /// The tempo that is more likely if the next tick does not arrive when expected.
  ///
  /// A long interval may contain lost ticks, or end with a late one. In both cases the next tick is
  /// in time. If it is not, the tempo has fallen, and the interval was one tick. After two equal
  /// long intervals this is more likely at once.
  @inline(__always)
  func slower(
    than period: Double, _ anchor: Int64, _ offset: Double, _ origin: Int64
  ) -> TickLine.Slower? {
    guard followsMotion else { return nil }
    let interval = Double(recent.lastInterval)
    let least = max(SlowerTuning.least * period, period + SlowerTuning.repeatedJitter * jitter)
    guard interval > least else { return nil }
    return longInterval(interval, period, anchor, offset, origin, least)
  }

  // Inlined: a call would copy the whole follower, at each clock.
  @inline(__always)
  private func longInterval(
    _ interval: Double, _ period: Double, _ anchor: Int64, _ offset: Double, _ origin: Int64,
    _ least: Double
  ) -> TickLine.Slower? {
    guard interval < SlowerTuning.most * period, !isLossy, !carrier.isCarrier, !isBatched,
      state.count >= TickTuning.ticksBeforeRepair
    else { return nil }
    let count = doubt.isOpen ? doubt.before.count + Int64(doubt.count) : state.count
    let mean = repeated(interval, period, least)
    guard mean != nil || isLong(interval, period) else { return nil }
    // On a line that delays ticks, two consecutive ones may be late.
    guard mean ?? interval > SlowerTuning.lateMost * period || !holdsUp else { return nil }
    let next = anchor + Int64(offset + period)
    let start = max(next, lastArrival) + Int64(SlowerTuning.overdue * jitter)
    return TickLine.Slower(
      start: mean == nil ? start : lastArrival, count: count - origin, anchor: lastArrival,
      period: mean ?? interval)
  }

  /// True if an interval is too long for jitter.
  @inline(__always)
  private func isLong(_ interval: Double, _ period: Double) -> Bool {
    interval > max(SlowerTuning.least * period, period + SlowerTuning.leastJitter * jitter)
  }

  /// The mean of the last two intervals, in nanoseconds, if both were long and alike; nil if not.
  @inline(__always)
  private func repeated(_ interval: Double, _ period: Double, _ least: Double) -> Double? {
    guard recent.count > 2 else { return nil }
    let before = Double(recent.interval(ago: 1, length: 1))
    let most = TickTuning.evenPart * interval + TickTuning.evenJitter * jitter
    guard before > least, isLong(max(before, interval), period), abs(interval - before) < most
    else { return nil }
    return 0.5 * (interval + before)
  }

  /// True if single ticks were late recently.
  private var holdsUp: Bool { state.count - lastHeldUp < SlowerTuning.heldUpTicks }

  /// Notes that the last tick was late, by `before` nanoseconds, if this one is in time again.
  @inline(__always)
  mutating func noteHeldUp(_ before: Double) {
    guard before > SlowerTuning.heldUp * state.period, abs(lateness) < 0.5 * before,
      before > SlowerTuning.heldUpJitter * jitter, change.age > TickTuning.ticksOfChange,
      state.count >= TickTuning.ticksBeforeLag
    else { return }
    lastHeldUp = state.count
  }
}

/// The constants of a tempo that may have fallen.
enum SlowerTuning {
  /// The least length of an interval in periods, and in units of the jitter beyond one period; the
  /// greatest length.
  static let least = 1.2
  static let leastJitter = 4.0
  /// The same for the other one of two long intervals in a row.
  static let repeatedJitter = 2.5
  static let most = 12.0
  /// A shorter interval, in periods, may end with a delayed tick.
  static let lateMost = 1.8
  /// The delay from which a late tick counts as delayed, as a fraction of the period and in units
  /// of the jitter, and the number of ticks for which this is remembered.
  static let heldUp = 0.1
  static let heldUpJitter = 5.0
  static let heldUpTicks: Int64 = 1000
  /// The least delay of the next tick, in units of the jitter.
  static let overdue = 1.5
}
