// SPDX-License-Identifier: Apache-2.0

/// An instant on the monotonic clock of the machine, in nanoseconds: when something was received,
/// when something is heard.
public struct HostTime: Instant {
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}

/// A half-open range of host time.
public typealias HostWindow = Range<HostTime>
