// SPDX-License-Identifier: Apache-2.0

/// One affine piece that joins a count (ticks, sample frames) to time, exactly.
///
/// `Time` says which: what a follower hears is in host time, what a source is given in reference
/// time. A clock yields it, a source follows it, and neither needs to know the other. The slope is a
/// ratio, and the origin is kept in the ratio's own fractions of a nanosecond, so a chain of
/// pieces taken from a tempo map's exact prefix sums never drifts.
///
/// At 480 PPQN and 120 beats per minute the slope is 500 000 000 / 480 ns a tick.
public struct Timeline<Count: BitwiseCopyable & Sendable, Time: Instant>: BitwiseCopyable, Sendable
{
  /// The count at the origin.
  public let countOrigin: Int64
  /// The time at the origin, in units of 1/`denominator` ns.
  public let scaledOrigin: Int128
  /// Nanoseconds a count, times `denominator`; above zero.
  public let numerator: Int64
  /// The denominator of the slope; above zero.
  public let denominator: Int64
  // Not a `Time`: every piece is laid out alike.
  @usableFromInline let end: Int64

  /// The first instant at which another piece may hold.
  @inlinable public var validUntil: Time { Time(nanoseconds: end) }

  /// Creates a piece.
  ///
  /// - Precondition: `numerator` and `denominator` are above zero.
  @inlinable
  public init(
    countOrigin: Int64, scaledOrigin: Int128, numerator: Int64, denominator: Int64,
    validUntil: Time = Time(nanoseconds: .max)
  ) {
    precondition(numerator > 0 && denominator > 0, "the slope must be above 0")
    self.countOrigin = countOrigin
    self.scaledOrigin = scaledOrigin
    self.numerator = numerator
    self.denominator = denominator
    end = validUntil.nanoseconds
  }

  /// The first whole nanosecond at or after a count: an event is never early.
  ///
  /// Saturates at the ends of the range.
  /// - Note: Real-time safe.
  @inlinable
  public func timeRoundedUp(atCount count: Int64) -> Time {
    let distance = Int128(count) - Int128(countOrigin)
    let (product, past) = distance.multipliedReportingOverflow(by: Int128(numerator))
    let (scaled, over) = scaledOrigin.addingReportingOverflow(product)
    guard !past, !over else { return Time(nanoseconds: distance < 0 ? .min : .max) }
    return Time(nanoseconds: Int64(clamping: Self.ceilDivide(scaled, Int128(denominator))))
  }

  /// The first count whose time, rounded up, is at or after an instant.
  ///
  /// The inverse of `timeRoundedUp(atCount:)`: of a window `[from, to)`, the counts are
  /// those from `firstCount(atOrAfter: from)` up to, not including, `firstCount(atOrAfter: to)`.
  /// - Note: Real-time safe.
  @inlinable
  public func firstCount(atOrAfter time: Time) -> Int64 {
    // ceil(s/d) ≥ t  ⟺  s > (t − 1)·d, and the smallest count with that is a floor plus one.
    let scaled = (Int128(time.nanoseconds) - 1) * Int128(denominator)
    let (bound, overflow) = scaled.subtractingReportingOverflow(scaledOrigin)
    guard !overflow else { return scaled < 0 ? .min : .max }
    let count = Int128(countOrigin) + Self.floorDivide(bound, Int128(numerator)) + 1
    return Int64(clamping: count)
  }

  @inlinable
  static func ceilDivide(_ value: Int128, _ divisor: Int128) -> Int128 {
    let quotient = value / divisor
    return value > 0 && value % divisor != 0 ? quotient + 1 : quotient
  }

  @inlinable
  static func floorDivide(_ value: Int128, _ divisor: Int128) -> Int128 {
    let quotient = value / divisor
    return value < 0 && value % divisor != 0 ? quotient - 1 : quotient
  }
}
