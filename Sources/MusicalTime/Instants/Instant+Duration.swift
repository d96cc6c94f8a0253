// SPDX-License-Identifier: Apache-2.0

extension Instant {
  /// The instant a duration later, held to the range; what lies between two nanoseconds becomes the
  /// later one, so that nothing is early.
  public func advanced(by duration: Duration) -> Self {
    advanced(saturating: duration.nanosecondsRoundedUp)
  }

  /// What passes from this instant to another, exactly; below zero where that is earlier.
  public func duration(to other: Self) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// The instant a duration later, as `advanced(by:)`.
  public static func + (time: Self, duration: Duration) -> Self { time.advanced(by: duration) }

  /// The instant a duration earlier, rounded up to a nanosecond and held to the range.
  public static func - (time: Self, duration: Duration) -> Self {
    time.advanced(by: .zero - duration)
  }

  /// What passes from one instant to another, exactly.
  public static func - (later: Self, earlier: Self) -> Duration { earlier.duration(to: later) }

  /// Moves an instant by a duration, as `+`.
  public static func += (time: inout Self, duration: Duration) { time = time + duration }

  /// Moves an instant back by a duration, as `-`.
  public static func -= (time: inout Self, duration: Duration) { time = time - duration }
}

extension Duration {
  /// The least whole number of nanoseconds that is not shorter, held to 64 bits.
  public var nanosecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    let rest = attoseconds / 1_000_000_000
    let isPast = attoseconds > rest * 1_000_000_000
    let whole = Int128(seconds) * 1_000_000_000 + Int128(rest) + (isPast ? 1 : 0)
    return Int64(clamping: whole)
  }
}
