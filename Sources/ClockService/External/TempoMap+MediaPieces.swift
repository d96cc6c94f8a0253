// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension TempoMap {
  /// Calls `body` for each part of a window in which the map and a line of media time give one line
  /// of ticks.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - media: The line from media time to host time.
  ///   - shift: The media time of tick 0 in nanoseconds.
  ///   - body: Receives each part with its line.
  func forEachPiece(
    of window: HostWindow, along media: Timeline<MediaTime, HostTime>, shift: Int64,
    _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void
  ) {
    do throws(TimeError) {
      var start = window.lowerBound
      while start < window.upperBound {
        let piece = try line(from: start, media, shift: shift)
        let end = min(window.upperBound, max(piece.validUntil, start.advanced(byNanoseconds: 1)))
        body(start..<end, piece)
        start = end
      }
    } catch {
      // Outside the range of 64 bits nothing is played.
      return
    }
  }

  /// The line of ticks from an instant to the next tempo change.
  ///
  /// Its origin is the first tick, exact to a nanosecond. The error of the slope is far below a
  /// nanosecond in the tenth of a second that a line is used.
  private func line(
    from start: HostTime, _ media: Timeline<MediaTime, HostTime>, shift: Int64
  ) throws(TimeError) -> Timeline<Tick, HostTime> {
    let count = try media.count(at: start, rounding: .floor).value
    let now = Int64(clamping: Int128(count) - Int128(shift))
    let tick = try tick(at: MediaTime(nanoseconds: now), rounding: .floor).value
    let map = try mediaLine(at: tick)
    let origin = map.timeRoundedUp(atCount: tick.value).advanced(saturating: shift)
    let slope = map.slope * media.slope
    let end =
      map.validUntil.nanoseconds == .max
      ? HostTime(nanoseconds: .max)
      : media.timeRoundedUp(
        atCount: map.validUntil.advanced(saturating: shift).nanoseconds)
    return Timeline(
      countOrigin: tick.value,
      scaledOrigin: Int128(media.timeRoundedUp(atCount: origin.nanoseconds).nanoseconds) << 20,
      numerator: max(1, Int64(slope * 0x1p20)), denominator: 1 << 20, validUntil: end)
  }
}

extension TempoMap {
  /// Calls `body` for each part of a window of an output's time in which the map gives one line of
  /// ticks, exactly; media time passes like the output's time.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - distance: The output's time of tick 0 in nanoseconds.
  ///   - body: Receives each part with its line.
  /// - Throws: `TimeError.overflow` outside the range of 64 bits.
  func forEachPiece(
    of window: ReferenceWindow, startingAt distance: Ratio,
    _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void
  ) throws(TimeError) {
    var start = window.lowerBound
    while start < window.upperBound {
      let now = try (Ratio(start.nanoseconds) - distance).rounded(.floor, unit: "nanoseconds")
      let tick = try tick(at: MediaTime(nanoseconds: now.value), rounding: .floor).value
      let piece = try mediaLine(at: tick).later(by: distance)
      let end = min(window.upperBound, max(piece.validUntil, start.advanced(byNanoseconds: 1)))
      body(start..<end, piece)
      start = end
    }
  }
}

extension Timeline where Count == Tick, Time == MediaTime {
  /// The line in an output's time, which is later than media time by a constant distance in
  /// nanoseconds.
  fileprivate func later(
    by distance: Ratio
  ) throws(TimeError) -> Timeline<Tick, ReferenceTime> {
    guard let below = Int64(exactly: distance.denominator) else { throw .overflow("nanoseconds") }
    let (slope, isPast) = numerator.multipliedReportingOverflow(by: below)
    let (divisor, isBeyond) = denominator.multipliedReportingOverflow(by: below)
    let (origin, isOver) = scaledOrigin.multipliedReportingOverflow(by: Int128(below))
    let (shift, isWide) = distance.numerator.multipliedReportingOverflow(by: Int128(denominator))
    guard !isPast, !isBeyond, !isOver, !isWide else { throw .overflow("nanoseconds") }
    let end =
      validUntil.nanoseconds == .max
      ? Int64.max
      : try (Ratio(validUntil.nanoseconds) + distance).rounded(.ceil, unit: "nanoseconds").value
    return Timeline<Tick, ReferenceTime>(
      countOrigin: countOrigin, scaledOrigin: origin + shift, numerator: slope,
      denominator: divisor, validUntil: ReferenceTime(nanoseconds: end))
  }
}

extension Timeline {
  /// Nanoseconds per count.
  var slope: Double { Double(numerator) / Double(denominator) }
}
