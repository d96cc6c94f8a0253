// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension EventLane {
  /// Notifies generators that count clocks of a jump at the end of a loop, once a window reaches
  /// the time at which they need it.
  func prepareLoop(in window: ReferenceWindow) {
    guard !generators.isEmpty, let jump = driver.nextLoop(after: window.lowerBound),
      window.upperBound.advanced(saturating: announcementLead) > jump.time
    else { return }
    do {
      let quarter = clock.nanosecondsPerQuarter(at: jump.tick)
      let wait = try distanceToClock(from: Ratio(jump.tick.value)) * quarter
      let first = Int64(clamping: try wait.rounded(.ceil, unit: "nanoseconds").value)
      for generator in generators {
        generator.prepareLoop(
          to: jump.tick, at: jump.time, in: window,
          firstClock: jump.time.advanced(saturating: first),
          period: Int64(quarter.approximation / 24))
      }
    } catch {
      // Outside the range of 128 bits: generators are notified at the jump.
      return
    }
  }
}

extension MusicClock {
  /// The next jump at the end of the clock's loop after an instant; nil without one.
  func nextLoop(after time: ReferenceTime) -> LoopJump? {
    guard isRunning, loop != nil, let scale else { return nil }
    let now = standing(at: time)
    guard let loop = nextLoop(pass: now.pass) else { return nil }
    return LoopJump(
      time: mapInForce.time(of: loop.end, in: now.base, scale: scale), tick: loop.start)
  }
}
