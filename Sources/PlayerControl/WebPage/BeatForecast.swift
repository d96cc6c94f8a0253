// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime

/// Computes future beats, each with the time at which it is audible.
package enum BeatForecast {
  /// A beat of the current meter.
  package struct Beat: Hashable {
    package let tick: Tick
    package let bar: Int
    /// The number in the bar, from 1.
    package let beat: Int
    /// The number of beats in the bar.
    package let count: Int
    package let time: HostTime
    /// The tempo in quarter notes per minute.
    package let beatsPerMinute: Double
  }

  /// The beats of a clock in a window of time, if its state does not change.
  ///
  /// Empty if the clock is stopped, or counts frames instead of bars.
  ///
  /// - Parameters:
  ///   - clock: The clock.
  ///   - context: The tempo and meter maps.
  ///   - window: The window, in host time.
  ///   - most: The maximum number of beats to return.
  /// - Returns: The beats in order.
  /// - Throws: `TimeError` if a position does not fit.
  package static func beats(
    of clock: ClockSnapshot, in context: TimeContext, _ window: Range<HostTime>, atMost most: Int
  ) throws(TimeError) -> [Beat] {
    guard clock.isRunning, case .ppqn = context.tempoMap.division else { return [] }
    var beats: [Beat] = []
    var (tick, time) = (clock.position(at: window.lowerBound).tick, window.lowerBound)
    var hasGoneBack = false
    while beats.count < most {
      let (next, label) = try beat(atOrAfter: tick, in: context)
      if let loop = clock.clock.loop, tick <= loop.end, next >= loop.end, tick >= loop.start {
        // A loop that does not contain a beat ends the search.
        if hasGoneBack { break }
        hasGoneBack = true
        guard let back = clock.time(of: loop.start, from: time) else { break }
        (tick, time) = (loop.start, back)
        continue
      }
      guard let due = clock.time(of: next, from: time), due < window.upperBound else { break }
      let quarters = try context.quarters(of: .ticks(Ratio(next.value)))
      let meter = try context.meterMap.signature(at: quarters)
      beats.append(
        Beat(
          tick: next, bar: Int(label.bar), beat: Int(label.beat), count: Int(meter.numerator),
          time: due, beatsPerMinute: clock.beatsPerMinute(at: due) ?? 0))
      (tick, time) = (next.advanced(by: 1), due.advanced(saturating: 1))
      hasGoneBack = false
    }
    return beats
  }

  private static func beat(
    atOrAfter tick: Tick, in context: TimeContext
  ) throws(TimeError) -> (Tick, BarBeat) {
    let quarters = try context.quarters(of: .ticks(Ratio(tick.value)))
    let label = try context.meterMap.barBeat(at: quarters, divisor: 1, rounding: .ceil).value
    let first = try context.firstTick(of: .quarters(context.meterMap.quarters(at: label)))
    return (first, label)
  }
}
