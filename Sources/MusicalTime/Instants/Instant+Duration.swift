// SPDX-License-Identifier: Apache-2.0

extension Instant {
  /// Returns the instant that is later by a duration, rounded up to a nanosecond and limited to the
  /// range of 64 bits.
  public func advanced(by duration: Duration) -> Self {
    advanced(saturating: duration.nanosecondsRoundedUp)
  }

  /// Returns the exact duration from this instant to another; negative if the other is earlier.
  public func duration(to other: Self) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Returns the instant that is later by a duration, rounded as in `advanced(by:)`.
  public static func + (time: Self, duration: Duration) -> Self { time.advanced(by: duration) }

  /// Returns the instant that is earlier by a duration, rounded up to a nanosecond and limited to
  /// the range of 64 bits.
  public static func - (time: Self, duration: Duration) -> Self {
    time.advanced(by: .zero - duration)
  }

  /// Returns the exact duration between two instants; negative if the left one is earlier.
  public static func - (later: Self, earlier: Self) -> Duration { earlier.duration(to: later) }

  /// Moves an instant by a duration, rounded as in `advanced(by:)`.
  public static func += (time: inout Self, duration: Duration) { time = time + duration }

  /// Moves an instant back by a duration, rounded up to a nanosecond.
  public static func -= (time: inout Self, duration: Duration) { time = time - duration }
}

extension Duration {
  /// The duration in nanoseconds, rounded up and limited to the range of 64 bits.
  public var nanosecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    let rest = attoseconds / 1_000_000_000
    let isPast = attoseconds > rest * 1_000_000_000
    let whole = Int128(seconds) * 1_000_000_000 + Int128(rest) + (isPast ? 1 : 0)
    return Int64(clamping: whole)
  }
}
