// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension EventLane {
  /// Notifies generators that count clocks of a locate, and returns its time, so that the first
  /// clock at the new position coincides with one that is due anyway.
  ///
  /// - Parameters:
  ///   - ticks: The new position.
  ///   - now: The earliest time for the notification.
  /// - Returns: The time of the locate; nil for at once, if no generator counts clocks.
  /// - Throws: `TimeError.overflow` if the result does not fit in 64 bits.
  func prepareLocate(
    toTicks ticks: Ratio, from now: ReferenceTime
  ) throws(TimeError) -> ReferenceTime? {
    let counts = generators.contains { $0 is MIDIClockGenerator }
    guard counts, clock.isRunning, now >= clock.startTime else { return nil }
    let tick = try clock.timeContext.firstTick(of: .ticks(ticks))
    let quarter = clock.nanosecondsPerQuarter(at: tick)
    let distance = try distanceToClock(from: ticks) * quarter
    let wait = Int64(clamping: try distance.rounded(.floor, unit: "nanoseconds").value)
    let told = now.advanced(saturating: announcementLead)
    guard let due = try nextClock(atOrAfter: told.advanced(saturating: wait)) else { return nil }
    let period = Int64(quarter.approximation / 24)
    for generator in generators {
      generator.prepareLocate(to: tick, from: now, firstClock: due, period: period)
    }
    return due.advanced(saturating: -wait)
  }

  /// The part of a quarter note from a position to the first clock at or after it.
  func distanceToClock(from ticks: Ratio) throws(TimeError) -> Ratio {
    let quarters = try clock.tempoMap.quarters(atTicks: ticks)
    let next = try (quarters * 24).rounded(.ceil, unit: "clocks").value
    return try Ratio(Int64(clamping: next), over: 24) - quarters
  }

  /// The time of the first clock at or after an instant; nil if the lane does not reach it.
  private func nextClock(atOrAfter time: ReferenceTime) throws(TimeError) -> ReferenceTime? {
    let ticks = try clock.ticks(at: time)
    let place = try ticks + distanceToClock(from: ticks) * clock.tempoMap.ticks(atQuarters: 1)
    let due = try clock.nanoseconds(ofTicks: place, from: time)
    return try due.map { (due) throws(TimeError) in
      ReferenceTime(nanoseconds: Int64(clamping: try due.rounded(.ceil, unit: "nanoseconds").value))
    }
  }
}
