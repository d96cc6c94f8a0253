// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A follower's estimate after a tick: the number of the tick, its true time without jitter, and
/// the time between ticks.
public struct TickEstimate: BitwiseCopyable, Sendable {
  /// The number of the last tick; the first tick is 0.
  public let count: Int64
  /// The host time at which the last tick arrived.
  public let arrival: HostTime
  /// Nanoseconds from the estimated true time of the last tick to its arrival; negative if it
  /// arrived early.
  public let delay: Double
  /// The time from the predicted to the actual arrival of the last tick, in nanoseconds; positive
  /// if it was late.
  public let phaseError: Double
  /// The jitter: the standard deviation of arrivals from their estimated true times, in
  /// nanoseconds.
  public let jitter: Double
  /// The standard deviation of the estimated true time, in nanoseconds.
  public let phaseDeviation: Double
  /// The estimated time between ticks in nanoseconds, not rounded.
  public let period: Double
  /// The standard deviation of the estimated period, in nanoseconds.
  public let periodDeviation: Double

  /// Returns the position at an instant, if ticks continue at the estimated period.
  ///
  /// - Returns: Ticks from the first one, accurate to 2⁻⁵² of the count.
  public func position(at time: HostTime) -> Double {
    Double(count) + ticks(to: time)
  }

  /// Returns the number of ticks from the last one to an instant, if they continue at the estimated
  /// period.
  public func ticks(to time: HostTime) -> Double {
    (Double(time.nanoseconds(since: arrival)) + delay) / period
  }
}

extension TickFollower {
  /// The estimate after the last tick; nil until the period is known.
  public var estimate: TickEstimate? {
    @inline(__always)
    get {
      guard phase == .following else { return nil }
      // The filter assumes more jitter than a quiet line has.
      let quiet = scatter / jitter
      let (anchor, offset, period) = believed
      return TickEstimate(
        count: state.count, arrival: HostTime(nanoseconds: anchor), delay: -offset,
        phaseError: lateness, jitter: scatter,
        phaseDeviation: quiet * max(state.p11, 0).squareRoot(),
        period: period, periodDeviation: quiet * max(state.p22, 0).squareRoot())
    }
  }
}
