// SPDX-License-Identifier: Apache-2.0

/// A point on a timeline that is measured in nanoseconds.
///
/// Each timeline has a separate type, so that times of different timelines cannot be confused:
/// `HostTime` is time of the computer, `ReferenceTime` of an output, and `MediaTime` of a song.
/// `TimeBase` converts between the first two, and `Timeline` converts counts, such as ticks, to
/// either. Durations of Swift can be added and are the difference of two instants:
/// `time + .milliseconds(5)`, `later - earlier`.
public protocol Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Nanoseconds from the origin of the timeline. The range is ±292 years.
  var nanoseconds: Int64 { get set }

  /// Creates an instant from nanoseconds.
  init(nanoseconds: Int64)
}

extension Instant {
  /// The origin of the timeline.
  @inlinable
  public static var zero: Self { Self(nanoseconds: 0) }

  /// Returns whether the left instant is earlier than the right one.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the instant a number of nanoseconds later, limited to the range of 64 bits.
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

  /// Returns the instant a number of nanoseconds later, limited to the range of 64 bits.
  @inlinable
  public func advanced(saturating distance: Int64) -> Self {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
    return Self(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
  }
}
