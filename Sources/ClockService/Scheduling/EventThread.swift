// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

/// A thread that runs a scheduler, so that events are emitted a fixed time (the horizon) before
/// they sound.
///
/// Windows are ranges of the reference time of an output, which counts rendered frames. After an
/// xrun or a suspension of the process, the song continues from the position at which it stopped.
/// Without an output, reference time is host time.
public final class EventThread: Sendable {
  /// The minimum time ahead of the position for which events are emitted: 20 ms.
  ///
  /// An output that renders a whole period at once needs that period in addition.
  public static let horizon = Duration.milliseconds(20)
  /// The time for which events are sent ahead to ports whose queue is in the kernel: 100 ms.
  public static let portHorizon = Duration.milliseconds(100)
  /// The time between two steps of the scheduler: 5 ms.
  public static let period = Duration.milliseconds(5)
  private static let leastPause = Duration.milliseconds(1)

  /// A change that is made on the event thread, between two steps of the scheduler.
  public typealias Command = @Sendable (EventScheduler) throws -> Void

  /// The scheduling that the system granted to the thread.
  public var scheduling: RealtimeThread.Scheduling { thread.scheduling }

  private let thread: RealtimeThread
  private let state: State

  /// The longest time to wait for a step, in nanoseconds.
  private static let longestCatchUp: Int64 = 1_000_000_000

  /// The state that the thread and its owner share.
  private final class State: Sendable {
    /// The number of steps begun, and of the last one ended; UInt64.max once the thread has ended.
    let begun = Atomic<UInt64>(0)
    let ended = Atomic<UInt64>(0)
    let isAwaited = Atomic(false)
    let caughtUp: DeadlineWait
    let machine: any MachineClock
    let commands = Mailbox<Command>()
    let mustStop = Atomic(false)
    let mustSilence = Atomic(false)
    let hasFinished = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)

    init(_ machine: any MachineClock) throws(RealtimeError) {
      self.machine = machine
      caughtUp = try DeadlineWait()
    }

    func end(step: UInt64) {
      ended.store(step, ordering: .releasing)
      if isAwaited.load(ordering: .sequentiallyConsistent) { caughtUp.wake() }
    }
  }

  /// Starts a thread for a scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler. From now on, only the thread may use it.
  ///   - machine: The clock by which the thread waits.
  ///   - position: Returns the reference time up to which sound was rendered; called on the thread.
  ///   - afterStep: Called on the thread after each step, to publish state.
  ///   - onEnd: Called on the thread when it ends, normally or after an error.
  /// - Throws: `RealtimeError` if the thread cannot be started.
  public init(
    _ scheduler: sending EventScheduler, machine: any MachineClock,
    position: @escaping @Sendable () -> ReferenceTime,
    afterStep: @escaping @Sendable (EventScheduler, ReferenceTime) -> Void = { _, _ in },
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(RealtimeError) {
    let state = try State(machine)
    // One thread steps the scheduler: `sending` gave it away, and the loop below is its only user.
    nonisolated(unsafe) let owned = scheduler
    self.state = state
    thread = try RealtimeThread(name: "events", priority: 60) {
      unsafe Self.run(owned, position: position, afterStep: afterStep, state: state)
      state.end(step: .max)
      onEnd()
    }
  }

  /// True if sources have emitted all events, and the played position has passed the last one.
  public var hasFinished: Bool { state.hasFinished.load(ordering: .acquiring) }

  /// The error that ended the thread, such as a lost sink; nil if it did not fail.
  public var failure: (any Error)? { state.failure.withLock { $0 } }

  /// Passes a command to the thread, which runs it as soon as it wakes; commands run in the order
  /// of the calls.
  ///
  /// If a command throws, the thread ends, so check for errors before you call this. May be called
  /// on any thread.
  public func perform(_ command: @escaping Command) {
    state.commands.post(command)
    state.machine.wake()
  }

  /// Makes a step now, and returns when it is complete, or after a second.
  ///
  /// - Note: Called by one thread at a time, except for the event thread.
  func catchUp() {
    let step = state.begun.load(ordering: .sequentiallyConsistent)
    state.isAwaited.store(true, ordering: .sequentiallyConsistent)
    defer { state.isAwaited.store(false, ordering: .sequentiallyConsistent) }
    state.machine.wake()
    let deadline = DeadlineWait.now + Self.longestCatchUp
    while state.ended.load(ordering: .acquiring) <= step {
      if state.caughtUp.wait(until: deadline) == .deadline { return }
    }
  }

  /// Stops the clock, notifies its followers, ends the thread and waits for its end; call it once.
  ///
  /// - Parameter silencing: True to cancel events sent for later times and to end all sound; false
  ///   by default.
  public func end(silencing: Bool = false) {
    state.mustSilence.store(silencing, ordering: .releasing)
    state.mustStop.store(true, ordering: .releasing)
    state.machine.wake()
    thread.join()
  }

  private static func run(
    _ scheduler: EventScheduler, position: () -> ReferenceTime,
    afterStep: (EventScheduler, ReferenceTime) -> Void, state: State
  ) {
    var descriptors = scheduler.descriptors
    var deadline = state.machine.now
    do {
      while !state.mustStop.load(ordering: .acquiring) {
        let step = state.begun.add(1, ordering: .sequentiallyConsistent).newValue
        let now = position()
        scheduler.look(at: now)
        try state.commands.takeEach { command in
          try command(scheduler)
          // The command may have changed the input.
          descriptors = scheduler.descriptors
        }
        try scheduler.step(at: now)
        let isOver = scheduler.isFinished && scheduler.hasBeenHeard(at: now)
        state.hasFinished.store(isOver, ordering: .releasing)
        afterStep(scheduler, now)
        state.end(step: step)
        // The schedule is absolute, but restarts after a long pause. Even if steps take long, other
        // threads get processor time between two.
        let time = state.machine.now
        deadline = min(
          max(deadline + period, time + leastPause),
          time + period)
        state.machine.wait(until: deadline, readable: descriptors)
      }
      scheduler.look(at: position())
      if state.mustSilence.load(ordering: .acquiring) {
        try scheduler.silence()
      } else {
        try scheduler.conclude()
      }
    } catch {
      state.failure.withLock { $0 = error }
    }
  }
}
