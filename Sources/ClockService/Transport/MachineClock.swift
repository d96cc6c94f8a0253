// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// The clock of the machine as a transport needs it: what time it is, and a way to wait.
///
/// One clock serves one transport; a test gives it one that it moves by hand.
///
/// - Note: one thread waits; any thread may ask for the time and wake it.
public protocol MachineClock: Sendable {
  /// The time.
  var now: HostTime { get }

  /// Waits until an instant, a wake-up, or until one of the descriptors is readable.
  func wait(until deadline: HostTime, readable descriptors: [Int32])

  /// Ends the wait that is under way, or the next one.
  func wake()
}

/// The machine's own clock, `CLOCK_MONOTONIC`.
public struct MonotonicClock: MachineClock {
  private let waiting: DeadlineWait

  /// Creates a clock.
  ///
  /// - Throws: `RealtimeError` where no descriptor is left to wake it by.
  public init() throws(RealtimeError) {
    waiting = try DeadlineWait()
  }

  /// The time.
  public static var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// The time.
  public var now: HostTime { Self.now }

  /// Waits until an instant, a wake-up, or until one of the descriptors is readable.
  public func wait(until deadline: HostTime, readable descriptors: [Int32]) {
    _ = waiting.wait(until: deadline.nanoseconds, readable: descriptors)
  }

  /// Ends the wait that is under way, or the next one.
  public func wake() { waiting.wake() }
}
