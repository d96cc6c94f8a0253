// SPDX-License-Identifier: Apache-2.0

/// An instant on the computer's monotonic clock, in nanoseconds, for example the time at which a
/// message was received or a sound is audible.
public struct HostTime: Instant {
  /// The time in nanoseconds of `CLOCK_MONOTONIC`.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}

/// A half-open range of host time.
public typealias HostWindow = Range<HostTime>
