// SPDX-License-Identifier: Apache-2.0

/// An exact linear mapping from counts, such as ticks or sample frames, to instants.
///
/// A timeline is valid for one segment of time, up to `validUntil`. A clock provides timelines, and
/// event sources use them to convert ticks to times, so that neither depends on the other. `Time`
/// is `HostTime` for the followers of a master, and `ReferenceTime` for event sources. The
/// nanoseconds per count are a ratio, and the origin has fractions of a nanosecond. Consecutive
/// timelines of a tempo map are calculated from its exact totals and do not drift.
///
/// At 480 PPQN and 120 beats per minute there are 500 000 000 / 480 ns per tick.
public struct Timeline<Count: BitwiseCopyable & Sendable, Time: Instant>: BitwiseCopyable, Sendable
{
  /// The count at the timeline's origin.
  public let countOrigin: Int64
  /// The time at the timeline's origin, in units of 1/`denominator` ns.
  public let scaledOrigin: Int128
  /// The nanoseconds per count, multiplied by `denominator`; above zero.
  public let numerator: Int64
  /// The denominator of the nanoseconds per count; above zero.
  public let denominator: Int64
  // Not a `Time`, so that all lines have the same memory layout.
  @usableFromInline let end: Int64

  /// The first instant at which another timeline may apply.
  @inlinable public var validUntil: Time { Time(nanoseconds: end) }

  /// Creates a timeline from its values.
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

  /// Returns the first whole nanosecond at or after the exact time of a count, so that events are
  /// never early.
  ///
  /// The result is limited to the range of `Time`.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func timeRoundedUp(atCount count: Int64) -> Time {
    let distance = Int128(count) - Int128(countOrigin)
    let (product, past) = distance.multipliedReportingOverflow(by: Int128(numerator))
    let (scaled, over) = scaledOrigin.addingReportingOverflow(product)
    guard !past, !over else { return Time(nanoseconds: distance < 0 ? .min : .max) }
    return Time(nanoseconds: Int64(clamping: Self.ceilDivide(scaled, Int128(denominator))))
  }

  /// Returns the first count whose time, rounded up, is at or after an instant.
  ///
  /// This function is the inverse of `timeRoundedUp(atCount:)`. The counts in a window `[from, to)`
  /// are those from `firstCount(atOrAfter: from)` up to, but not including,
  /// `firstCount(atOrAfter: to)`.
  ///
  /// - Note: Real-time safe.
  @inlinable
  public func firstCount(atOrAfter time: Time) -> Int64 {
    // ceil(s/d) ≥ t  ⟺  s > (t − 1)·d; the smallest count for which this is true is a floor plus
    // one.
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
