// SPDX-License-Identifier: Apache-2.0

extension Timeline {
  /// Creates a piece from an exact slope.
  ///
  /// - Parameters:
  ///   - countOrigin: The count at the origin.
  ///   - hostOrigin: The host time at the origin.
  ///   - nanosecondsPerCount: The slope; above zero.
  ///   - validUntil: The first instant at which another piece may hold.
  /// - Throws: `TimeError.fieldOutOfRange` for a slope at or below zero; `TimeError.overflow` for
  ///   one whose fraction does not fit 64 bits.
  public init(
    countOrigin: Int64, hostOrigin: HostTime, nanosecondsPerCount: Ratio,
    validUntil: HostTime = HostTime(nanoseconds: .max)
  ) throws(TimeError) {
    guard nanosecondsPerCount > 0 else {
      throw .fieldOutOfRange(field: "slope", value: "\(nanosecondsPerCount)", range: "above 0")
    }
    guard let numerator = Int64(exactly: nanosecondsPerCount.numerator),
      let denominator = Int64(exactly: nanosecondsPerCount.denominator)
    else { throw .overflow("timeline slope") }
    self.init(
      countOrigin: countOrigin,
      scaledHostOrigin: Int128(hostOrigin.nanoseconds) * Int128(denominator),
      numerator: numerator, denominator: denominator, validUntil: validUntil)
  }

  /// The host time of a count.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  public func hostTime(
    atCount count: Int64, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime> {
    let distance = try multiply(Int128(count) - Int128(countOrigin), Int128(numerator))
    let scaled = try add(scaledHostOrigin, distance)
    return try scaleWide(scaled, over: denominator, rounding, unit: "nanoseconds")
      .map(HostTime.init(nanoseconds:))
  }

  /// The first whole nanosecond at or after a position between counts, rounded once.
  ///
  /// Saturates at the ends of `HostTime`.
  /// - Note: Real-time safe.
  public func hostTimeRoundedUp(atPosition count: Ratio) -> HostTime {
    // The origin's whole nanoseconds are set aside: what is left fits beside the fractions.
    let (whole, rest) = flooredDivision(scaledHostOrigin, by: Int128(denominator))
    let common = Int128(greatestCommonDivisor(Int128(numerator), count.denominator))
    let slope = Int128(numerator) / common
    let divisor = count.denominator / common
    let (origin, past) = count.denominator.multipliedReportingOverflow(by: Int128(countOrigin))
    let (distance, over) = count.numerator.subtractingReportingOverflow(origin)
    let (product, beyond) = distance.multipliedReportingOverflow(by: slope)
    let (carried, wide) = rest.multipliedReportingOverflow(by: divisor)
    let (sum, carry) = product.addingReportingOverflow(carried)
    let (below, deep) = divisor.multipliedReportingOverflow(by: Int128(denominator))
    guard !past, !over, !beyond, !wide, !carry, !deep else {
      return HostTime(nanoseconds: count.numerator < origin ? .min : .max)
    }
    let (time, outside) = Self.ceilDivide(sum, below).addingReportingOverflow(whole)
    guard !outside else { return HostTime(nanoseconds: sum < 0 ? .min : .max) }
    return HostTime(nanoseconds: Int64(clamping: time))
  }

  /// The host time of a position between counts, in nanoseconds and their fractions, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func nanoseconds(atPosition count: Ratio) throws(TimeError) -> Ratio {
    let slope = Ratio(numerator, over: denominator)
    return try Ratio(exactly: scaledHostOrigin, over: Int128(denominator))
      + (count - Ratio(countOrigin)) * slope
  }

  /// The position between counts at a host time, exactly.
  ///
  /// At 480 PPQN and 120 beats per minute, 100 500 ns after tick 0 it is 603/6250 of a tick.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func exactCount(at time: HostTime) throws(TimeError) -> Ratio {
    let scaled = Int128(time.nanoseconds) * Int128(denominator)
    let elapsed = try add(scaled, multiply(scaledHostOrigin, -1))
    return try Ratio(exactly: elapsed, over: Int128(numerator)) + Ratio(countOrigin)
  }

  /// The count at a host time.
  ///
  /// - Throws: `TimeError.inexact`, `TimeError.overflow`.
  public func count(at time: HostTime, rounding: Rounding) throws(TimeError) -> Converted<Int64> {
    let scaled = Int128(time.nanoseconds) * Int128(denominator)
    let origin = try multiply(Int128(countOrigin), Int128(numerator))
    let distance = try add(scaled, add(multiply(scaledHostOrigin, -1), origin))
    return try scaleWide(distance, over: numerator, rounding, unit: "counts")
  }
}

extension Timeline where Count == MediaTime {
  /// Creates the relation of media time and host time at a play rate.
  ///
  /// - Parameters:
  ///   - media: The media time that sounds at `host`.
  ///   - host: When it sounds.
  ///   - playRate: Media seconds per host second, above zero: 2 plays twice as fast.
  /// - Throws: `TimeError.fieldOutOfRange` for a rate at or below zero; `TimeError.overflow` for
  ///   one whose fraction does not fit 64 bits.
  public init(media: MediaTime, at host: HostTime, playRate: Ratio) throws(TimeError) {
    guard playRate > 0 else {
      throw .fieldOutOfRange(field: "play rate", value: "\(playRate)", range: "above 0")
    }
    try self.init(
      countOrigin: media.nanoseconds, hostOrigin: host,
      nanosecondsPerCount: playRate.inverted())
  }
}
