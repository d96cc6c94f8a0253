// SPDX-License-Identifier: Apache-2.0

extension Timeline {
  /// Creates a timeline from an exact number of nanoseconds per count.
  ///
  /// - Parameters:
  ///   - countOrigin: The count at the origin.
  ///   - origin: The time at the origin.
  ///   - nanosecondsPerCount: The nanoseconds per count; above zero.
  ///   - validUntil: The first instant at which another timeline may apply; never by default.
  /// - Throws: `TimeError.fieldOutOfRange` if `nanosecondsPerCount` is zero or negative;
  ///   `TimeError.overflow` if it is not a fraction of 64-bit integers.
  public init(
    countOrigin: Int64, origin: Time, nanosecondsPerCount: Ratio,
    validUntil: Time = Time(nanoseconds: .max)
  ) throws(TimeError) {
    guard nanosecondsPerCount > 0 else {
      throw .fieldOutOfRange(field: "slope", value: "\(nanosecondsPerCount)", range: "above 0")
    }
    guard let numerator = Int64(exactly: nanosecondsPerCount.numerator),
      let denominator = Int64(exactly: nanosecondsPerCount.denominator)
    else { throw .overflow("timeline slope") }
    self.init(
      countOrigin: countOrigin,
      scaledOrigin: Int128(origin.nanoseconds) * Int128(denominator),
      numerator: numerator, denominator: denominator, validUntil: validUntil)
  }

  /// Converts a count to its time.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func time(
    atCount count: Int64, rounding: Rounding
  ) throws(TimeError) -> Converted<Time> {
    let distance = try multiply(Int128(count) - Int128(countOrigin), Int128(numerator))
    let scaled = try add(scaledOrigin, distance)
    return try scaleWide(scaled, over: denominator, rounding, unit: "nanoseconds")
      .map(Time.init(nanoseconds:))
  }

  /// Returns the first whole nanosecond at or after a position between counts.
  ///
  /// The result is rounded once, and limited to the range of `Time`.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func timeRoundedUp(atPosition count: Ratio) -> Time {
    Time(nanoseconds: nanosecondsRoundedUp(atPosition: count))
  }

  @usableFromInline
  func nanosecondsRoundedUp(atPosition count: Ratio) -> Int64 {
    // The origin's whole nanoseconds are added last, so that the rest fits in 128 bits.
    let (whole, rest) = flooredDivision(scaledOrigin, by: Int128(denominator))
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
      return count.numerator < origin ? .min : .max
    }
    let (time, outside) = Self.ceilDivide(sum, below).addingReportingOverflow(whole)
    guard !outside else { return sum < 0 ? .min : .max }
    return Int64(clamping: time)
  }

  /// Returns the exact time of a position between counts, in nanoseconds with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  public func nanoseconds(atPosition count: Ratio) throws(TimeError) -> Ratio {
    let slope = Ratio(numerator, over: denominator)
    return try Ratio(exactly: scaledOrigin, over: Int128(denominator))
      + (count - Ratio(countOrigin)) * slope
  }

  /// Returns the exact position at an instant, in counts with fractions.
  ///
  /// For example, at 480 PPQN and 120 beats per minute, the position 100 500 ns after tick 0 is
  /// 603/6250 of a tick.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  public func exactCount(at time: Time) throws(TimeError) -> Ratio {
    let scaled = Int128(time.nanoseconds) * Int128(denominator)
    let elapsed = try add(scaled, multiply(scaledOrigin, -1))
    return try Ratio(exactly: elapsed, over: Int128(numerator)) + Ratio(countOrigin)
  }

  /// Converts an instant to a count, rounded to a whole count.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  public func count(at time: Time, rounding: Rounding) throws(TimeError) -> Converted<Int64> {
    let scaled = Int128(time.nanoseconds) * Int128(denominator)
    let origin = try multiply(Int128(countOrigin), Int128(numerator))
    let distance = try add(scaled, add(multiply(scaledOrigin, -1), origin))
    return try scaleWide(distance, over: numerator, rounding, unit: "counts")
  }
}

extension Timeline where Count == MediaTime {
  /// Creates the timeline that maps media time to another time at a play rate.
  ///
  /// - Parameters:
  ///   - media: The media time that is played at `time`.
  ///   - time: The time at which `media` is played.
  ///   - playRate: The seconds of media time per second, above zero; at 2, the song is played twice
  ///     as fast.
  /// - Throws: `TimeError.fieldOutOfRange` if the rate is zero or negative; `TimeError.overflow` if
  ///   it is not a fraction of 64-bit integers.
  public init(media: MediaTime, at time: Time, playRate: Ratio) throws(TimeError) {
    guard playRate > 0 else {
      throw .fieldOutOfRange(field: "play rate", value: "\(playRate)", range: "above 0")
    }
    try self.init(
      countOrigin: media.nanoseconds, origin: time,
      nanosecondsPerCount: playRate.inverted())
  }
}
