// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The beat that goes on while the transport stands: clocks at one tempo from the last one on.
struct StandingGrid {
  private var line: Timeline<MIDIClock, ReferenceTime>?
  private var quarter: Ratio?
  private var owed: Int64 = 0
  private var last: ReferenceTime?

  /// Notes a clock that the running transport sent: the beat goes on from there.
  mutating func note(_ time: ReferenceTime) {
    last = time
    line = nil
  }

  /// Owes again the clocks due at or after an instant.
  mutating func takeBack(from time: ReferenceTime) {
    guard let line, let last, last >= time else { return }
    owed = min(owed, line.firstCount(atOrAfter: time))
    self.last = line.timeRoundedUp(atCount: owed - 1)
  }

  /// When the first clock at or after an instant is due; nil before anything was sent.
  func nextTime(atOrAfter time: ReferenceTime) -> ReferenceTime? {
    guard let line else { return nil }
    return line.timeRoundedUp(atCount: max(line.firstCount(atOrAfter: time), owed))
  }

  /// Calls `body` with the time of each clock of a window.
  ///
  /// Where nothing was sent yet, a clock falls on `target`, if there is one, or on the window's
  /// start.
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

  /// Draws the line anew: one clock after the last that was sent, or at once.
  private mutating func begin(at start: ReferenceTime, _ quarter: Ratio) {
    do {
      let period = try quarter * Ratio(1, over: 24)
      line = try Timeline(
        countOrigin: last == nil ? 0 : -1, origin: last ?? start, nanosecondsPerCount: period)
      self.quarter = quarter
      owed = 0
    } catch {
      // A tempo that no 64-bit fraction holds: the old line stays.
      return
    }
  }
}
