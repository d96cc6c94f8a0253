// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The beat that continues while the transport is stopped: clocks at one tempo from the last one
/// on.
struct StandingGrid {
  private var line: Timeline<MIDIClock, ReferenceTime>?
  private var quarter: Ratio?
  private var owed: Int64 = 0
  private var last: ReferenceTime?

  /// Notes a clock of the running transport, from which the beat continues.
  mutating func note(_ time: ReferenceTime) {
    last = time
    line = nil
  }

  /// Cancels the clocks due at or after an instant, so that they are sent again.
  mutating func takeBack(from time: ReferenceTime) {
    guard let line, let last, last >= time else { return }
    owed = min(owed, line.firstCount(atOrAfter: time))
    self.last = line.timeRoundedUp(atCount: owed - 1)
  }

  /// The time of the first clock at or after an instant; nil before the first clock.
  func nextTime(atOrAfter time: ReferenceTime) -> ReferenceTime? {
    guard let line else { return nil }
    return line.timeRoundedUp(atCount: max(line.firstCount(atOrAfter: time), owed))
  }

  /// Calls `body` with the time of each clock in a window.
  ///
  /// Before the first clock, a clock is placed at `target`, or without one at the start of the
  /// window.
  mutating func emit(
    from start: ReferenceTime, to end: ReferenceTime, nanosecondsPerQuarter: Ratio,
    aimingAt target: ReferenceTime?, _ body: (ReferenceTime) -> Void
  ) {
    guard start < end else { return }
    if line == nil || quarter != nanosecondsPerQuarter {
      begin(at: target ?? start, nanosecondsPerQuarter)
      if last == nil, target != nil { owed = line?.firstCount(atOrAfter: start) ?? 0 }
    }
    guard let line else { return }
    owed = max(owed, line.firstCount(atOrAfter: start))
    for _ in 0..<(start..<end).mostMessages {
      let time = line.timeRoundedUp(atCount: owed)
      guard time < end else { return }
      body(time)
      last = time
      owed += 1
    }
    owed = max(owed, line.firstCount(atOrAfter: end))
  }

  /// Starts another line: one clock after the last that was sent, or at once.
  private mutating func begin(at start: ReferenceTime, _ quarter: Ratio) {
    do {
      let period = try quarter * Ratio(1, over: 24)
      line = try Timeline(
        countOrigin: last == nil ? 0 : -1, origin: last ?? start, nanosecondsPerCount: period)
      self.quarter = quarter
      owed = 0
    } catch {
      // The tempo is not a fraction of 64-bit integers: the old line stays.
      return
    }
  }
}
