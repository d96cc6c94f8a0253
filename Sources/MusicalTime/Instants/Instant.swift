// SPDX-License-Identifier: Apache-2.0

/// A point in time on one of several time scales, in nanoseconds.
///
/// Each time scale has a separate type, so that times of different scales cannot be confused:
/// `HostTime` is measured by the computer's clock, `ReferenceTime` by an output, and `MediaTime`
/// from the start of a song. `TimeBase` converts between the first two. `Timeline` converts counts,
/// such as ticks, to any of them. A Swift `Duration` can be added to an instant, and is the
/// difference of two instants: `time + .milliseconds(5)`, `later - earlier`.
public protocol Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Nanoseconds from the origin of the time scale. The range is ±292 years.
  var nanoseconds: Int64 { get set }

  /// Creates an instant from nanoseconds.
  init(nanoseconds: Int64)
}

extension Instant {
  /// The origin of the time scale.
  @inlinable
  public static var zero: Self { Self(nanoseconds: 0) }

  /// Returns true if the left instant is earlier than the right one.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the instant that is later by a number of nanoseconds, limited to the range of 64 bits.
  @inlinable
  public func advanced(byNanoseconds distance: Int64) -> Self {
    advanced(saturating: distance)
  }

  /// Returns the nanoseconds from another instant to this one, limited to ±`Int64.max`; negative
  /// if this one is earlier.
  @inlinable
  public func nanoseconds(since other: Self) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    // Never `Int64.min`, because its absolute value does not fit.
    return overflow ? (nanoseconds < 0 ? -.max : .max) : max(difference, -.max)
  }

  /// Returns the instant that is later by a number of nanoseconds, limited to the range of 64 bits.
  @inlinable
  public func advanced(saturating distance: Int64) -> Self {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
    return Self(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
  }
}
