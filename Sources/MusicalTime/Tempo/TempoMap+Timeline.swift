// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// The straight line in force at a tick, when an origin sounds at a host time.
  ///
  /// Host time runs from the origin at the map's own exact totals divided by the play rate, so the
  /// pieces of one transport agree to the last fraction where they meet: none is built on the
  /// rounded end of the one before.
  ///
  /// - Parameters:
  ///   - tick: The tick whose step is wanted.
  ///   - originTick: The tick that sounds at `originHost`.
  ///   - originHost: When it sounds.
  ///   - playRate: Media seconds per host second, above zero: 2 plays twice as fast.
  /// - Returns: The piece; `validUntil` is the host time, rounded up, of the next tempo change.
  /// - Throws: `TimeError.fieldOutOfRange` for a play rate at or below zero; `TimeError.overflow`
  ///   for one whose fraction does not fit beside the tempo in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Does not allocate.
  public func timeline(
    at tick: Tick, originTick: Tick, originHost: HostTime, playRate: Ratio
  ) throws(TimeError) -> Timeline<Tick> {
    guard playRate > 0 else {
      throw .fieldOutOfRange(field: "play rate", value: "\(playRate)", range: "above 0")
    }
    let scale = try hostScale(playRate)
    let index = starts.lastIndex(atOrBelow: tick.value)
    let step = step(index)
    let (slope, overflow) = step.length.multipliedReportingOverflow(by: scale.up)
    guard !overflow else { throw .overflow("play rate") }
    let anchor = self.step(starts.lastIndex(atOrBelow: originTick.value))
      .wideTotal(at: originTick.value)
    let fromOrigin = try multiply(Int128(step.total) - anchor, Int128(scale.up))
    let origin = try add(
      multiply(Int128(originHost.nanoseconds), Int128(scale.down)), fromOrigin)
    let open = Timeline<Tick>(
      countOrigin: step.start, scaledHostOrigin: origin, numerator: slope,
      denominator: scale.down)
    guard index + 1 < starts.count else { return open }
    return Timeline(
      countOrigin: step.start, scaledHostOrigin: origin, numerator: slope,
      denominator: scale.down, validUntil: open.hostTimeRoundedUp(atCount: steps[index + 1].start))
  }

  /// Host nanoseconds = units · up / down.
  private func hostScale(_ playRate: Ratio) throws(TimeError) -> UnitScale {
    let nanoseconds = Ratio(nanosecondScale.up, over: nanosecondScale.down)
    let ratio = try nanoseconds / playRate
    guard let up = Int64(exactly: ratio.numerator), let down = Int64(exactly: ratio.denominator)
    else { throw .overflow("play rate") }
    return UnitScale(unreduced: up, over: down)
  }
}
