// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A machine's clock that a test moves by hand: a transport that runs by it never sleeps, and does
/// the same whatever the machine is busy with.
public final class ManualClock: MachineClock {
  private struct State {
    var now: HostTime
    /// What the transport's thread waits for; nil while it works.
    var deadline: HostTime?
    var isWoken = false
  }

  private let state: Mutex<State>
  private let thread: DeadlineWait
  private let test: DeadlineWait

  /// Creates a clock that stands at an instant.
  public init(_ now: HostTime = HostTime(nanoseconds: 1_000_000_000)) throws {
    state = Mutex(State(now: now))
    thread = try DeadlineWait()
    test = try DeadlineWait()
  }

  /// The time, as far as it was moved.
  public var now: HostTime { state.withLock(\.now) }

  /// Waits until the clock has been moved to an instant, or for a wake-up.
  public func wait(until deadline: HostTime, readable descriptors: [Int32]) {
    state.withLock { $0.deadline = deadline }
    test.wake()
    while !state.withLock({ $0.isWoken || $0.now >= deadline }) { _ = thread.wait(until: nil) }
    state.withLock { ($0.deadline, $0.isWoken) = (nil, false) }
  }

  /// Ends the wait that is under way, or the next one.
  public func wake() {
    state.withLock { $0.isWoken = true }
    thread.wake()
  }

  /// Waits until the transport has done what it was told.
  public func settle() {
    while !state.withLock({ $0.deadline.map { [now = $0.now] in $0 > now } == true && !$0.isWoken })
    {
      _ = test.wait(until: nil)
    }
  }

  /// Moves the clock on, and lets the transport take every step on the way.
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
