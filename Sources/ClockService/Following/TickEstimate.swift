// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a follower believes after a tick: which tick, when it truly was, how far apart they are.
public struct TickEstimate: BitwiseCopyable, Sendable {
  /// The index of the last tick counted; the first tick ever is 0.
  public let count: Int64
  /// When the last tick that counted arrived.
  public let arrival: HostTime
  /// Nanoseconds from that arrival back to when the tick truly was; negative where it was after.
  public let delay: Double
  /// How far off its prediction the arrival was, in nanoseconds; late is above zero.
  public let phaseError: Double
  /// How far arrivals scatter about their true times, as learnt: a standard deviation, in nanoseconds.
  public let jitter: Double
  /// How uncertain the true time is: a standard deviation, in nanoseconds.
  public let phaseDeviation: Double
  /// Nanoseconds a tick; never rounded.
  public let period: Double
  /// How uncertain the period is: a standard deviation, in nanoseconds.
  public let periodDeviation: Double

  /// The position in ticks at an instant, by a straight line through the last tick.
  ///
  /// - Returns: Ticks from the first one; good to 2⁻⁵² of the count.
  public func position(at time: HostTime) -> Double {
    Double(count) + ticks(to: time)
  }

  /// Ticks from the last one to an instant.
  public func ticks(to time: HostTime) -> Double {
    (Double(time.nanoseconds(since: arrival)) + delay) / period
  }
}

extension TickFollower {
  /// What is believed after the last tick; nil before there is a period.
  public var estimate: TickEstimate? {
    @inline(__always)
    get {
      guard phase == .following else { return nil }
      // The filter takes a quiet line to be less quiet than it is.
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
