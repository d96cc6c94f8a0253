// SPDX-License-Identifier: Apache-2.0

/// An instant on the monotonic clock, in nanoseconds.
///
/// Offline the same type counts nanoseconds from the start of the render: a reference time like
/// any other. The range is ±292 years.
public struct HostTime: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Nanoseconds of `CLOCK_MONOTONIC`, or of the reference clock in use.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The origin of the clock.
  @inlinable
  public static var zero: HostTime { HostTime(nanoseconds: 0) }

  /// Whether an instant comes before another.
  @inlinable
  public static func < (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant a number of nanoseconds later; traps past the range.
  @inlinable
  public func advanced(byNanoseconds distance: Int64) -> HostTime {
    HostTime(nanoseconds: nanoseconds + distance)
  }

  /// The instant a number of nanoseconds later, held to the range.
  @inlinable
  public func advanced(saturating distance: Int64) -> HostTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
    return HostTime(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
  }
}

/// A half-open range of host time: the unit of work of every event source.
public typealias HostWindow = Range<HostTime>
