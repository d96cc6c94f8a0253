// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  @inlinable
  func step(_ index: Int) -> TempoStep {
    let steps = steps.span
    // Indices are results of the searches below, which return an index of a key; each key has a
    // step.
    return unsafe steps[unchecked: index]
  }

  /// Converts a tick to media time.
  ///
  /// At 480 PPQN and 120 beats per minute, tick 1 is at 1 041 666⅔ ns.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the time is not whole
  ///   nanoseconds; `TimeError.overflow` beyond 292 years.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public func mediaTime(
    at tick: Tick, rounding: Rounding
  ) throws(TimeError) -> Converted<MediaTime> {
    let step = step(starts.lastIndex(atOrBelow: tick.value))
    return try step.nanoseconds(at: tick.value, nanosecondScale, rounding)
      .map(MediaTime.init(nanoseconds:))
  }

  /// Converts a media time to a tick.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between ticks;
  ///   `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public func tick(at time: MediaTime, rounding: Rounding) throws(TimeError) -> Converted<Tick> {
    let total = nanosecondScale.totalRoundedDown(of: time.nanoseconds)
    let step = step(totals.lastIndex(atOrBelow: total))
    return try step.tick(atNanoseconds: time.nanoseconds, nanosecondScale, rounding)
      .map { Tick($0) }
  }

  /// Converts a tick to a sample frame, counted from the start of the song.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between frames;
  ///   `TimeError.overflow` if the frame does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public func sampleTime(
    at tick: Tick, rate: SampleRate, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    let step = step(starts.lastIndex(atOrBelow: tick.value))
    return try step.value(
      at: tick.value, Int64(rate.hertz), unitsPerSecond, rounding, unit: "sample frames"
    )
    .map(SampleTime.init(frames:))
  }

  /// Converts a sample frame, counted from the start of the song, to a tick.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between ticks;
  ///   `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public func tick(
    at time: SampleTime, rate: SampleRate, rounding: Rounding
  ) throws(TimeError) -> Converted<Tick> {
    let below = flooredDivision(
      Int128(time.frames) * Int128(unitsPerSecond), by: Int128(rate.hertz)
    ).quotient
    let step = step(totals.lastIndex(atOrBelow: Int64(clamping: below)))
    return try step.wideTick(
      at: time.frames, Int64(rate.hertz), unitsPerSecond, rounding
    ).map { Tick($0) }
  }
}

extension TempoMap {
  /// Converts a tick to the exact media time in seconds.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func seconds(at tick: Tick) -> Ratio {
    let total = step(starts.lastIndex(atOrBelow: tick.value)).wideTotal(at: tick.value)
    let common = Int128(greatestCommonDivisor(total, Int128(unitsPerSecond)))
    return Ratio(lowestTerms: total / common, Int128(unitsPerSecond) / common)
  }

  /// Converts a position in ticks with fractions to the exact media time in seconds.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func seconds(atTicks position: Ratio) throws(TimeError) -> Ratio {
    let below = try position.rounded(.floor, unit: "ticks").value
    let step = step(starts.lastIndex(atOrBelow: below))
    let inside = try (position - Ratio(step.start)) * Ratio(step.length)
    return try (inside + Ratio(step.total)) * Ratio(1, over: unitsPerSecond)
  }

  /// Converts a media time in seconds to the exact position in ticks with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func ticks(atSeconds seconds: Ratio) throws(TimeError) -> Ratio {
    let total = try seconds * Ratio(unitsPerSecond)
    let below = flooredDivision(total.numerator, by: total.denominator).quotient
    let step = step(totals.lastIndex(atOrBelow: Int64(clamping: below)))
    return try (total - Ratio(step.total)) * Ratio(1, over: step.length) + Ratio(step.start)
  }

  /// Converts a media time in seconds to a tick.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between ticks;
  ///   `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func tick(
    atSeconds seconds: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<Tick> {
    try ticks(atSeconds: seconds).rounded(rounding, unit: "ticks").map { Tick($0) }
  }
}
