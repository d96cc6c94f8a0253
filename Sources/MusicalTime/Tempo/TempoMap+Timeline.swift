// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// The straight line in force at a tick, when an origin sounds at an instant.
  ///
  /// Time runs from the origin at the map's own exact totals divided by the play rate, so the
  /// pieces of one transport agree to the last fraction where they meet: none is built on the
  /// rounded end of the one before.
  ///
  /// - Parameters:
  ///   - tick: The tick whose step is wanted.
  ///   - originTick: The tick that sounds at `origin`.
  ///   - origin: When it sounds.
  ///   - playRate: Media seconds per second of that time, above zero: 2 plays twice as fast.
  /// - Returns: The piece; `validUntil` is the time, rounded up, of the next tempo change.
  /// - Throws: `TimeError.fieldOutOfRange` for a play rate at or below zero; `TimeError.overflow`
  ///   for one whose fraction does not fit beside the tempo in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Does not allocate.
  @inlinable
  public func timeline<Time>(
    at tick: Tick, originTick: Tick, origin: Time, playRate: Ratio
  ) throws(TimeError) -> Timeline<Tick, Time> {
    let line = try line(at: tick, originTick, origin.nanoseconds, playRate)
    return line.moved(byNanoseconds: 0)
  }

  /// The straight line in force at a tick, in the piece's own time: nanoseconds from tick 0 as it
  /// is written.
  ///
  /// - Throws: `TimeError.overflow` for a tempo that does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func mediaLine(at tick: Tick) throws(TimeError) -> Timeline<Tick, MediaTime> {
    try line(at: tick, .zero, 0, 1)
  }

  /// The line, whatever its time is called: compiled once.
  @usableFromInline
  func line(
    at tick: Tick, _ originTick: Tick, _ origin: Int64, _ playRate: Ratio
  ) throws(TimeError) -> Timeline<Tick, MediaTime> {
    guard playRate > 0 else {
      throw .fieldOutOfRange(field: "play rate", value: "\(playRate)", range: "above 0")
    }
    let scale = try scale(playRate)
    let index = starts.lastIndex(atOrBelow: tick.value)
    let step = step(index)
    let (slope, overflow) = step.length.multipliedReportingOverflow(by: scale.up)
    guard !overflow else { throw .overflow("play rate") }
    let anchor = self.step(starts.lastIndex(atOrBelow: originTick.value))
      .wideTotal(at: originTick.value)
    let fromOrigin = try multiply(Int128(step.total) - anchor, Int128(scale.up))
    let start = try add(multiply(Int128(origin), Int128(scale.down)), fromOrigin)
    let open = Timeline<Tick, MediaTime>(
      countOrigin: step.start, scaledOrigin: start, numerator: slope, denominator: scale.down)
    guard index + 1 < starts.count else { return open }
    return Timeline(
      countOrigin: step.start, scaledOrigin: start, numerator: slope, denominator: scale.down,
      validUntil: open.timeRoundedUp(atCount: steps[index + 1].start))
  }

  /// Nanoseconds = units · up / down.
  private func scale(_ playRate: Ratio) throws(TimeError) -> UnitScale {
    let nanoseconds = Ratio(nanosecondScale.up, over: nanosecondScale.down)
    let ratio = try nanoseconds / playRate
    guard let up = Int64(exactly: ratio.numerator), let down = Int64(exactly: ratio.denominator)
    else { throw .overflow("play rate") }
    return UnitScale(unreduced: up, over: down)
  }
}
