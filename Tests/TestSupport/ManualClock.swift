// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A clock that a test advances, so that a transport never sleeps, and behaves the same on a busy
/// machine.
public final class ManualClock: MachineClock {
  private struct State {
    var now: HostTime
    /// The time for which the transport's thread waits; nil while it works.
    var deadline: HostTime?
    var isWoken = false
  }

  private let state: Mutex<State>
  private let thread: DeadlineWait
  private let test: DeadlineWait

  /// Creates a clock that is stopped at an instant.
  public init(_ now: HostTime = HostTime(nanoseconds: 1_000_000_000)) throws {
    state = Mutex(State(now: now))
    thread = try DeadlineWait()
    test = try DeadlineWait()
  }

  /// The current time of the clock.
  public var now: HostTime { state.withLock(\.now) }

  /// Waits until the clock reaches an instant, or for a wake-up.
  public func wait(until deadline: HostTime, readable descriptors: [Int32]) {
    state.withLock { $0.deadline = deadline }
    test.wake()
    while !state.withLock({ $0.isWoken || $0.now >= deadline }) { _ = thread.wait(until: nil) }
    state.withLock { ($0.deadline, $0.isWoken) = (nil, false) }
  }

  /// Ends the current wait, or the next one.
  public func wake() {
    state.withLock { $0.isWoken = true }
    thread.wake()
  }

  /// Waits until the transport has executed its commands.
  public func settle() {
    while !state.withLock({ $0.deadline.map { [now = $0.now] in $0 > now } == true && !$0.isWoken })
    {
      _ = test.wait(until: nil)
    }
  }

  /// Advances the clock, with every step of the transport in between.
  public func advance(by nanoseconds: Int64) {
    let end = now.advanced(byNanoseconds: nanoseconds)
    while true {
      settle()
      let isThere = state.withLock { state in
        guard state.now < end else { return true }
        state.now = min(end, state.deadline ?? end)
        return false
      }
      guard !isThere else { return }
      thread.wake()
    }
  }
}
