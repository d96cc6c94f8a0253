// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// Returns the timeline from ticks to time that applies at a tick, for a song that starts at a
  /// given time.
  ///
  /// Times are calculated from the map's exact totals, divided by the play rate. Consecutive
  /// timelines of one transport therefore meet exactly: none starts at the rounded end of the
  /// previous one.
  ///
  /// - Parameters:
  ///   - tick: A tick for which the timeline is valid.
  ///   - originTick: The tick that is played at `origin`.
  ///   - origin: The time at which `originTick` is played.
  ///   - playRate: The seconds of media time per second, above zero; at 2, the song is played twice
  ///     as fast.
  /// - Returns: The timeline. Its `validUntil` is the time, rounded up, of the next tempo change.
  /// - Throws: `TimeError.fieldOutOfRange` if the play rate is zero or negative;
  ///   `TimeError.overflow` if the play rate and the tempo do not fit in a fraction of 64-bit
  ///   integers.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Does not allocate.
  @inlinable
  public func timeline<Time>(
    at tick: Tick, originTick: Tick, origin: Time, playRate: Ratio
  ) throws(TimeError) -> Timeline<Tick, Time> {
    let line = try line(at: tick, originTick, origin.nanoseconds, playRate)
    return line.moved(byNanoseconds: 0)
  }

  /// Returns the timeline from ticks to media time that applies at a tick.
  ///
  /// - Throws: `TimeError.overflow` if the tempo does not fit in a fraction of 64-bit integers.
  /// - Complexity: O(log n) in the number of changes.
  public func mediaLine(at tick: Tick) throws(TimeError) -> Timeline<Tick, MediaTime> {
    try line(at: tick, .zero, 0, 1)
  }

  /// The line for any type of time; not generic, so that it is compiled once.
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
