// SPDX-License-Identifier: Apache-2.0

/// The computer's monotonic clock, for waiting in Swift tasks:
/// `try await Task.sleep(until: .now + .seconds(1), clock: .host)`.
///
/// The clock is `CLOCK_MONOTONIC`, which stops while the computer is suspended.
///
/// - Note: Any thread, except for a render thread: a wait suspends the task.
public struct HostClock: Clock {
  /// Creates a clock.
  ///
  /// All host clocks are equivalent.
  public init() {}

  /// The current host time.
  public var now: HostTime { .now }

  /// The resolution of the clock: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until an instant, or returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  public func sleep(until deadline: HostTime, tolerance: Duration? = nil) async throws {
    let clock = SuspendingClock()
    try await clock.sleep(
      until: clock.systemEpoch + .nanoseconds(deadline.nanoseconds), tolerance: tolerance)
  }
}

// Only host time is an instant of a Swift clock, which keeps generic code for other times small.
extension HostTime: InstantProtocol {}

extension Clock where Self == HostClock {
  /// The computer's monotonic clock.
  public static var host: HostClock { HostClock() }
}

extension HostTime {
  /// The current host time.
  public static var now: HostTime {
    let clock = SuspendingClock()
    return HostTime(nanoseconds: (clock.now - clock.systemEpoch).nanosecondsRoundedUp)
  }
}
