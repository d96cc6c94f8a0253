// SPDX-License-Identifier: Apache-2.0

/// The clock of the machine, for Swift's own waits:
/// `try await Task.sleep(until: .now + .seconds(1), clock: .host)`.
///
/// It is `CLOCK_MONOTONIC`: it stands while the machine is suspended.
///
/// - Note: any thread. Not for a render thread: a wait suspends the task.
public struct HostClock: Clock {
  /// Creates the clock; all are one.
  public init() {}

  /// The time.
  public var now: HostTime { .now }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until an instant; one that is past returns at once.
  ///
  /// - Throws: `CancellationError` where the task is cancelled meanwhile.
  public func sleep(until deadline: HostTime, tolerance: Duration? = nil) async throws {
    let clock = SuspendingClock()
    try await clock.sleep(
      until: clock.systemEpoch + .nanoseconds(deadline.nanoseconds), tolerance: tolerance)
  }
}

// Of the lines of time this one alone is a clock's of Swift: what is generic over them stays lean.
extension HostTime: InstantProtocol {}

extension Clock where Self == HostClock {
  /// The clock of the machine.
  public static var host: HostClock { HostClock() }
}

extension HostTime {
  /// The time of the machine's clock now.
  public static var now: HostTime {
    let clock = SuspendingClock()
    return HostTime(nanoseconds: (clock.now - clock.systemEpoch).nanosecondsRoundedUp)
  }
}
