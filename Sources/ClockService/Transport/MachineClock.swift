// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// The computer's clock as a transport uses it: the current time, and a way to wait.
///
/// Each transport needs a separate instance. A test can use a clock that it advances by hand.
///
/// - Note: One thread waits; any thread may read the time and wake it.
public protocol MachineClock: Sendable {
  /// The present host time.
  var now: HostTime { get }

  /// Waits until an instant or a wake-up, or until a descriptor is readable.
  func wait(until deadline: HostTime, readable descriptors: [Int32])

  /// Ends the present wait, or the next one if none is in progress.
  func wake()
}

/// The monotonic clock of the computer, `CLOCK_MONOTONIC`.
public struct MonotonicClock: MachineClock {
  private let waiting: DeadlineWait

  /// Creates a clock.
  ///
  /// - Throws: `RealtimeError` if the process cannot open another file descriptor.
  public init() throws(RealtimeError) {
    waiting = try DeadlineWait()
  }

  /// The current host time.
  public static var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// The current host time.
  public var now: HostTime { Self.now }

  /// Waits until an instant or a wake-up, or until a descriptor is readable.
  public func wait(until deadline: HostTime, readable descriptors: [Int32]) {
    _ = waiting.wait(until: deadline.nanoseconds, readable: descriptors)
  }

  /// Ends the wait that is in progress, or else the next one.
  public func wake() { waiting.wake() }
}
