// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The estimate of a follower after a tick: its number, its actual time, and the distance of ticks.
public struct TickEstimate: BitwiseCopyable, Sendable {
  /// The number of the last tick; the first tick is 0.
  public let count: Int64
  /// The host time at which the last tick arrived.
  public let arrival: HostTime
  /// Nanoseconds from the actual time of the tick to its arrival; negative if it arrived early.
  public let delay: Double
  /// The distance of the arrival from its prediction, in nanoseconds; positive if late.
  public let phaseError: Double
  /// The standard deviation of arrivals from their actual times, as learnt, in nanoseconds.
  public let jitter: Double
  /// The standard deviation of the actual time, in nanoseconds.
  public let phaseDeviation: Double
  /// Nanoseconds per tick, not rounded.
  public let period: Double
  /// The standard deviation of the period, in nanoseconds.
  public let periodDeviation: Double

  /// Returns the position in ticks at an instant, on a straight line through the last tick.
  ///
  /// - Returns: Ticks from the first one, accurate to 2⁻⁵² of the count.
  public func position(at time: HostTime) -> Double {
    Double(count) + ticks(to: time)
  }

  /// Returns the ticks from the last one to an instant.
  public func ticks(to time: HostTime) -> Double {
    (Double(time.nanoseconds(since: arrival)) + delay) / period
  }
}

extension TickFollower {
  /// The estimate after the last tick; nil before a period is known.
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
