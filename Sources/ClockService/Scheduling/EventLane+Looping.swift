// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension EventLane {
  /// Tells those who count the lane's clocks that it will go back at the end of a loop, once a
  /// window reaches to where they must know.
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
      // Past what 128 bits hold: those who count are told when it goes back.
      return
    }
  }
}

extension MusicClock {
  /// When the clock goes back at the end of its loop next after an instant, and where to.
  func nextLoop(after time: ReferenceTime) -> LoopJump? {
    guard isRunning, loop != nil, let scale else { return nil }
    let now = standing(at: time)
    guard let loop = nextLoop(pass: now.pass) else { return nil }
    return LoopJump(
      time: mapInForce.time(of: loop.end, in: now.base, scale: scale), tick: loop.start)
  }
}
