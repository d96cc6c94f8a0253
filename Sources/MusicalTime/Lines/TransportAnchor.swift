// SPDX-License-Identifier: Apache-2.0

/// An instant, and the position in a tempo map that is played at that instant.
///
/// Further positions of a running transport are calculated from it.
///
/// The position has a resolution of 2⁻¹⁶ of the map's smallest unit, about 3·10⁻¹⁶ s at 480 PPQN,
/// so that changes of the play rate between ticks do not accumulate a measurable error.
public struct TransportAnchor: Hashable, BitwiseCopyable, Sendable {
  /// The instant at which the position is played.
  public let time: ReferenceTime
  /// The map's total at the instant, in 2⁻¹⁶ of its unit.
  let total: Int128

  static let fraction: Int128 = 1 << 16

  /// Returns the same position at another instant.
  public func moved(to time: ReferenceTime) -> TransportAnchor {
    TransportAnchor(time: time, total: total)
  }
}

/// The exact number of nanoseconds of reference time per unit of a tempo map, at a play rate.
public struct TransportScale: Hashable, BitwiseCopyable, Sendable {
  let up: Int64
  let down: Int64

  /// Creates the scale of a tempo map at a play rate.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - playRate: The seconds of media time per second of reference time, above zero; at 2, the
  ///     song is played twice as fast.
  /// - Throws: `TimeError.fieldOutOfRange` if the rate is zero or negative; `TimeError.overflow` if
  ///   the rate and a tempo of the map do not fit in a fraction of 64-bit integers.
  /// - Complexity: O(n) in the number of tempo changes.
  public init(_ map: TempoMap, playRate: Ratio) throws(TimeError) {
    guard playRate > 0 else {
      throw .fieldOutOfRange(field: "play rate", value: "\(playRate)", range: "above 0")
    }
    let unit = Ratio(map.nanosecondScale.up, over: map.nanosecondScale.down)
    let ratio = try unit / playRate
    guard let up = Int64(exactly: ratio.numerator), let down = Int64(exactly: ratio.denominator),
      map.steps.allSatisfy({ !$0.length.multipliedReportingOverflow(by: up).overflow })
    else { throw .overflow("play rate") }
    self.up = up
    self.down = down
  }
}

extension TempoMap {
  /// Returns the anchor of a transport that plays a tick at an instant.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func anchor(at tick: Tick, time: ReferenceTime) -> TransportAnchor {
    TransportAnchor(time: time, total: total(at: tick))
  }

  /// Converts an anchor of this map to an anchor at the same tick and time in the map that replaces
  /// it.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func anchor(_ anchor: TransportAnchor, in map: TempoMap) -> TransportAnchor {
    let step = step(ofTotal: anchor.total)
    let inside = anchor.total - Int128(step.total) * TransportAnchor.fraction
    let (ticks, rest) = flooredDivision(
      inside, by: Int128(step.length) * TransportAnchor.fraction)
    let start = Tick(step.start + Int64(clamping: ticks))
    let there = map.step(map.starts.lastIndex(atOrBelow: start.value))
    let part = rest * Int128(there.length) / Int128(step.length)
    return TransportAnchor(time: anchor.time, total: map.total(at: start) + part)
  }

  /// Returns the position that a running transport reaches at another instant.
  public func anchor(
    _ anchor: TransportAnchor, at time: ReferenceTime, scale: TransportScale
  ) -> TransportAnchor {
    let elapsed = Int128(time.nanoseconds) - Int128(anchor.time.nanoseconds)
    // 2⁶⁰ ns are 36 years, which is the limit of the distance.
    let held = min(max(elapsed, -(1 << 60)), 1 << 60)
    let (units, _) = flooredDivision(
      held * Int128(scale.down) * TransportAnchor.fraction, by: Int128(scale.up))
    return TransportAnchor(time: time, total: anchor.total + units)
  }

  /// Returns an anchor at the same instant, whose position is moved by the distance between two
  /// ticks.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func anchor(
    _ anchor: TransportAnchor, movedFrom old: Tick, to new: Tick, times count: Int = 1
  ) -> TransportAnchor {
    let distance = (total(at: new) - total(at: old)) * Int128(count)
    return TransportAnchor(time: anchor.time, total: anchor.total + distance)
  }

  /// Returns the timeline from ticks to reference time that applies at an instant, while a
  /// transport runs.
  ///
  /// Times are calculated from the anchor and the map's exact totals, so that consecutive timelines
  /// meet exactly: none starts at the rounded end of the previous one.
  ///
  /// - Parameters:
  ///   - run: The anchor from which the transport runs.
  ///   - time: The instant.
  ///   - scale: The scale of this map at the play rate.
  /// - Returns: The timeline. Its `validUntil` is the time, rounded up, of the next tempo change.
  /// - Complexity: O(log n) in the number of changes.
  /// - Note: Does not allocate.
  public func timeline(
    of run: TransportAnchor, at time: ReferenceTime, scale: TransportScale
  ) -> Timeline<Tick, ReferenceTime> {
    let place = anchor(run, at: time, scale: scale)
    let index = totals.lastIndex(atOrBelow: Int64(clamping: place.total >> 16))
    let step = step(index)
    let ahead = Int128(step.total) * TransportAnchor.fraction - run.total
    // Rounded up, so that at the rounded end of a line the position has reached the next line.
    let fromAnchor = -flooredDivision(
      -ahead * Int128(scale.up), by: TransportAnchor.fraction
    ).quotient
    let origin = Int128(run.time.nanoseconds) * Int128(scale.down) + fromAnchor
    let open = Timeline<Tick, ReferenceTime>(
      countOrigin: step.start, scaledOrigin: origin, numerator: step.length * scale.up,
      denominator: scale.down)
    guard index + 1 < starts.count else { return open }
    return Timeline(
      countOrigin: step.start, scaledOrigin: origin, numerator: open.numerator,
      denominator: open.denominator,
      validUntil: open.timeRoundedUp(atCount: steps[index + 1].start))
  }

  /// Returns the time at which a tick is played while a transport runs, rounded up to a nanosecond.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func time(
    of tick: Tick, in run: TransportAnchor, scale: TransportScale
  ) -> ReferenceTime {
    let ahead = -flooredDivision(
      -(total(at: tick) - run.total) * Int128(scale.up), by: TransportAnchor.fraction
    ).quotient
    let scaled = Int128(run.time.nanoseconds) * Int128(scale.down) + ahead
    let due = -flooredDivision(-scaled, by: Int128(scale.down)).quotient
    return ReferenceTime(nanoseconds: Int64(clamping: due))
  }

  /// Returns the first tick at or after a position.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func firstTick(atOrAfter place: TransportAnchor) -> Tick {
    let step = step(ofTotal: place.total)
    let inside = place.total - Int128(step.total) * TransportAnchor.fraction
    let ticks = -flooredDivision(
      -inside, by: Int128(step.length) * TransportAnchor.fraction
    ).quotient
    return Tick(Int64(clamping: Int128(step.start) + ticks))
  }

  /// Returns the exact position of an anchor, in ticks with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func ticks(of place: TransportAnchor) throws(TimeError) -> Ratio {
    let step = step(ofTotal: place.total)
    let inside = place.total - Int128(step.total) * TransportAnchor.fraction
    return try Ratio(exactly: inside, over: Int128(step.length) * TransportAnchor.fraction)
      + Ratio(step.start)
  }

  /// Returns the anchor of a transport that plays a position between ticks at an instant.
  ///
  /// The position is rounded down to 2⁻¹⁶ of the map's smallest unit, about 3·10⁻¹⁶ s at 480 PPQN.
  ///
  /// - Throws: `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func anchor(atTicks ticks: Ratio, time: ReferenceTime) throws(TimeError) -> TransportAnchor
  {
    let below = try ticks.rounded(.floor, unit: "ticks")
    let step = step(starts.lastIndex(atOrBelow: below.value))
    let part = try below.residue * Ratio(step.length) * Ratio(Int64(TransportAnchor.fraction))
    let inside = Int128(try part.rounded(.floor, unit: "ticks").value)
    return TransportAnchor(time: time, total: total(at: Tick(below.value)) + inside)
  }

  /// Returns the number of times that a position has passed the end of a loop; 0 before the end.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func passes(of place: TransportAnchor, through loop: LoopRange) -> Int {
    let end = total(at: loop.end)
    guard place.total >= end else { return 0 }
    let length = end - total(at: loop.start)
    return Int(clamping: (place.total - end) / length + 1)
  }

  /// Returns true if a position is before a tick.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func precedes(_ place: TransportAnchor, _ tick: Tick) -> Bool {
    place.total < total(at: tick)
  }

  private func total(at tick: Tick) -> Int128 {
    step(starts.lastIndex(atOrBelow: tick.value)).wideTotal(at: tick.value)
      * TransportAnchor.fraction
  }

  private func step(ofTotal total: Int128) -> TempoStep {
    step(totals.lastIndex(atOrBelow: Int64(clamping: total >> 16)))
  }
}
