// SPDX-License-Identifier: Apache-2.0

/// A point on a line of time that is counted in nanoseconds.
///
/// Each line has a type of its own, so that a time of one is never taken for a time of another:
/// `HostTime` is the machine's, `ReferenceTime` an output's, `MediaTime` a piece's. A `TimeBase`
/// turns the first two into one another, a `Timeline` counts into either. Swift's durations are added
/// to it and lie between two: `time + .milliseconds(5)`, `later - earlier`.
public protocol Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Nanoseconds from the line's origin; the range is ±292 years.
  var nanoseconds: Int64 { get set }

  /// Creates an instant from nanoseconds.
  init(nanoseconds: Int64)
}

extension Instant {
  /// The origin of the line.
  @inlinable
  public static var zero: Self { Self(nanoseconds: 0) }

  /// Whether an instant comes before another.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The instant a number of nanoseconds later, limited to the range of 64 bits.
  @inlinable
  public func advanced(byNanoseconds distance: Int64) -> Self {
    advanced(saturating: distance)
  }

  /// Nanoseconds from another instant to this one, limited to ±`Int64.max`; negative if this one
  /// is earlier.
  @inlinable
  public func nanoseconds(since other: Self) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    // Never `Int64.min`, because its absolute value does not fit.
    return overflow ? (nanoseconds < 0 ? -.max : .max) : max(difference, -.max)
  }

  /// The instant a number of nanoseconds later, limited to the range of 64 bits.
  @inlinable
  public func advanced(saturating distance: Int64) -> Self {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
    return Self(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
  }
}
