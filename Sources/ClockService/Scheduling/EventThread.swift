// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

/// Drives a scheduler from a thread of its own, a horizon ahead of where the sound is.
///
/// The windows are cut in the reference time of an output: its position says how far it has
/// rendered. After an xrun or a suspended process the song goes on where it stopped. Without an
/// output reference time is host time.
public final class EventThread: Sendable {
  /// How far ahead of the position events are emitted at least: 20 ms.
  ///
  /// An output that renders a whole period at once needs that period on top.
  public static let horizon = Duration.milliseconds(20)
  /// How far ahead events are handed to ports, whose queue is in the kernel: 100 ms.
  public static let portHorizon = Duration.milliseconds(100)
  /// The distance between two steps: 5 ms.
  public static let period = Duration.milliseconds(5)
  private static let leastPause = Duration.milliseconds(1)

  /// A command: it runs on the thread, between two steps.
  public typealias Command = @Sendable (EventScheduler) throws -> Void

  /// What the thread got when it asked for a priority.
  public var scheduling: RealtimeThread.Scheduling { thread.scheduling }

  private let thread: RealtimeThread
  private let state: State

  /// How long somebody waits who needs a step, in nanoseconds.
  private static let longestCatchUp: Int64 = 1_000_000_000

  /// What the thread and its owner share.
  private final class State: Sendable {
    /// Steps that have begun, and the last that has ended; the last possible once there are no more.
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

  /// Starts stepping a scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler; from here on it is the thread's.
  ///   - machine: what it waits by.
  ///   - position: the reference time up to which sound has been rendered; asked on the thread.
  ///   - afterStep: looks at the scheduler after each step, on the thread: to publish from it.
  ///   - onEnd: called on the thread when it has done the last it does, by itself or by an error.
  /// - Throws: `RealtimeError` where the thread cannot be started.
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

  /// Whether every source has emitted all it had, and the position has passed the last event.
  public var hasFinished: Bool { state.hasFinished.load(ordering: .acquiring) }

  /// What ended the thread before its time: a sink that is gone.
  public var failure: (any Error)? { state.failure.withLock { $0 } }

  /// Has a command run on the thread, at once and in order; any thread may ask.
  ///
  /// An error that it throws ends the thread: check before.
  public func perform(_ command: @escaping Command) {
    state.commands.post(command)
    state.machine.wake()
  }

  /// Has a step made now, and returns once it is done, or after a second.
  ///
  /// - Note: one thread at a time, any but the event thread.
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

  /// Ends the thread and waits for it; called once.
  ///
  /// Those who follow its clocks are told.
  ///
  /// - Parameter silencing: whether what was sent for later is taken back and what sounds ended.
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
          // It may have brought another input.
          descriptors = scheduler.descriptors
        }
        try scheduler.step(at: now)
        let isOver = scheduler.isFinished && scheduler.hasBeenHeard(at: now)
        state.hasFinished.store(isOver, ordering: .releasing)
        afterStep(scheduler, now)
        state.end(step: step)
        // An absolute schedule; after a long pause it starts anew instead of catching up. However
        // long a step takes, the rest of the machine has its turn between two.
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
