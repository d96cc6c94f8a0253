// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// Drives a scheduler from a thread of its own, a horizon ahead of where the sound is.
///
/// The windows are cut in the reference time of an output: its position says how far it has
/// rendered. After an xrun or a suspended process the song goes on where it stopped.
public final class EventThread: Sendable {
  /// How far ahead of the position events are emitted at least, in nanoseconds: 20 ms.
  ///
  /// An output that renders a whole period at once needs that period on top.
  public static let horizon: Int64 = 20_000_000
  /// The distance between two steps, in nanoseconds: 5 ms.
  public static let period: Int64 = 5_000_000

  /// What the thread got when it asked for a priority.
  public var scheduling: RealtimeThread.Scheduling { thread.scheduling }

  private let thread: RealtimeThread
  private let state: State

  /// What the thread and its owner share.
  private final class State: Sendable {
    let wait: DeadlineWait
    let mustStop = Atomic(false)
    let hasFinished = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }
  }

  /// Starts stepping a scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler; from here on it is the thread's.
  ///   - horizon: how far ahead of the position events are emitted, in nanoseconds.
  ///   - position: the reference time up to which sound has been rendered; asked on the thread.
  /// - Throws: `RealtimeError` where the thread cannot be started.
  public init(
    _ scheduler: sending EventScheduler, horizon: Int64 = horizon,
    position: @escaping @Sendable () -> HostTime
  ) throws(RealtimeError) {
    let state = try State()
    // One thread steps the scheduler: `sending` gave it away, and the loop below is its only user.
    nonisolated(unsafe) let owned = scheduler
    self.state = state
    thread = try RealtimeThread(name: "events", priority: 60) {
      unsafe Self.run(owned, horizon: horizon, position: position, state: state)
    }
  }

  /// Whether every source has emitted all it had and every sink has taken it.
  public var hasFinished: Bool { state.hasFinished.load(ordering: .acquiring) }

  /// What ended the thread before its time: a sink that is gone.
  public var failure: (any Error)? { state.failure.withLock { $0 } }

  /// Ends the thread and waits for it; called once.
  public func stop() {
    state.mustStop.store(true, ordering: .releasing)
    state.wait.wake()
    thread.join()
  }

  private static func run(
    _ scheduler: EventScheduler, horizon: Int64, position: () -> HostTime, state: State
  ) {
    var deadline = DeadlineWait.now
    do {
      while !state.mustStop.load(ordering: .acquiring) {
        try scheduler.step(to: position().advanced(byNanoseconds: horizon))
        if scheduler.isFinished { state.hasFinished.store(true, ordering: .releasing) }
        // An absolute schedule; after a long pause it starts anew instead of catching up.
        deadline = max(deadline + period, DeadlineWait.now)
        _ = state.wait.wait(until: deadline)
      }
    } catch {
      state.failure.withLock { $0 = error }
    }
  }
}
