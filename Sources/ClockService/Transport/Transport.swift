// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// A clock with a thread, which any thread can control and read.
///
/// Without a song, a transport runs freely or follows a master, and sends clocks to any number of
/// machines. With a player, it plays a song. Commands take effect within a few milliseconds, in the
/// order of the calls, and their effects are reported as events. Any number of transports can run
/// at the same time.
///
/// - Note: Any thread. Not real-time safe.
public final class Transport: Sendable {
  /// The time from a start command to the start, if the command does not give a time.
  ///
  /// In this time, followers are notified.
  public let lead: Duration

  /// True if other processes can read the complete maps; false if a map is too long to be served.
  public let servesWholeMaps: Bool

  let events: EventThread
  let control: Mutex<Control>
  let listeners: ClockListeners
  private let published: Snapshot<ClockSnapshot.State>
  private let publisher: SharedClockPublisher?
  private let hasEnded = Atomic(false)

  struct Control: Sendable {
    /// The maps and properties, the newest last, after those that the event thread may still use.
    ///
    /// The event thread determines the motion.
    var clocks: [MusicClock]
    var isFollowing: Bool
    /// The tempo set by hand, until the clock is stopped.
    var tempo: Tempo?
    /// The last start or stop command; nil after a start behind a master.
    var order: Order?

    var clock: MusicClock { clocks[clocks.count - 1] }

    /// A start or stop command and its receipt.
    struct Order: Sendable {
      let runs: Bool
      let receipt: CommandReceipt
    }

    mutating func set(_ clock: MusicClock) {
      if clock.edition == self.clock.edition { clocks.removeLast() }
      clocks.append(clock)
    }

    mutating func clock(of edition: UInt32) -> MusicClock {
      while clocks.count > 1, clocks[0].edition != edition { clocks.removeFirst() }
      return clocks[0]
    }
  }

  /// Creates a clock that is stopped or follows its master, and starts its thread.
  ///
  /// - Parameters:
  ///   - clock: The clock from which maps, properties and position are taken.
  ///   - sync: The master and the clock outputs; none by default.
  ///   - name: The name by which other processes can read the clock; nil (the default) for none.
  ///   - machine: The source of host time; nil (the default) for the computer's clock.
  ///   - pace: Called on the thread in each step; returns the frames of a sound device whose speed
  ///     the clock follows, or nil to follow host time. By default the clock follows host time.
  /// - Throws: `SharedSnapshotError` if the name is not available; `RealtimeError` if a thread
  ///   cannot be started.
  public convenience init(
    _ clock: MusicClock, sync: sending ClockSync = ClockSync(), name: String? = nil,
    machine: (any MachineClock)? = nil, pace: (@Sendable () -> DevicePace.Source?)? = nil
  ) throws {
    let machine = try machine ?? MonotonicClock()
    let scheduler = EventScheduler(
      clock: clock, sources: [], router: Router(), start: TimeBase.host.time(at: machine.now))
    let routes = sync.addDestinations(to: scheduler.router, along: scheduler.reference)
    for route in routes { scheduler.router.addRoute(route) }
    try scheduler.router.rehearse()
    let lead = EventThread.portHorizon - min(.zero, sync.outputs.map(\.delay).min() ?? .zero)
    scheduler.lane.horizon = lead
    scheduler.lane.use(sync)
    // Owned by the transport from here on.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) let reference = scheduler.reference
    var position: (@Sendable () -> ReferenceTime)?
    if let pace {
      position = { unsafe reference.look(pace(), at: machine.now) }
    }
    try unsafe self.init(owned, lead: lead, name: name, machine: machine, position: position)
  }

  /// Creates a transport for a scheduler, and starts its thread.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler. From now on, only the transport's thread may use it.
  ///   - lead: The time from a start command to the start, if the command does not give a time;
  ///     zero (the default) for as soon as possible.
  ///   - name: The name by which other processes can read the clock; nil (the default) for none.
  ///   - machine: The source of host time; nil (the default) for the computer's clock.
  ///   - position: Called on the thread; returns the reference time up to which the output has
  ///     rendered. Nil (the default) without an output.
  /// - Throws: `SharedSnapshotError` if the name is not available; `RealtimeError` if a thread
  ///   cannot be started.
  public init(
    _ scheduler: sending EventScheduler, lead: Duration = .zero, name: String? = nil,
    machine: (any MachineClock)? = nil, position: (@Sendable () -> ReferenceTime)? = nil
  ) throws {
    let machine = try machine ?? MonotonicClock()
    let lane = scheduler.lane
    let clock = lane.clock
    self.lead = lead
    let listeners = try ClockListeners()
    let onEvent = lane.onEvent
    lane.onEvent = { event in
      onEvent?(event)
      listeners.note(event)
    }
    self.listeners = listeners
    let state = SharedClockState(tempoMap: clock.tempoMap, meterMap: clock.meterMap)
    servesWholeMaps = state.isWhole
    publisher = try name.map { try SharedClockPublisher(name: $0, state) }
    published = Snapshot(lane.snapshotState(at: lane.end))
    control = Mutex(
      Control(
        clocks: [clock], isFollowing: lane.master != nil, tempo: clock.tempoOverride))
    let board = published.writer
    // The event thread owns it from here on, and also the served state.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) var served = state
    let now = position ?? { TimeBase.host.time(at: machine.now) }
    events = try unsafe EventThread(owned, machine: machine, position: now) {
      [publisher] scheduler, time in
      let lane = scheduler.lane
      board.write(lane.snapshotState(at: time))
      listeners.notePublished()
      guard let publisher else { return }
      unsafe lane.describe(in: &served, at: time)
      publisher.write(unsafe served)
    } onEnd: {
      listeners.noteEnd()
    }
  }

  deinit {
    end()
  }

  /// Stops the clock, notifies followers and observers, and ends the thread.
  ///
  /// Only the first call has an effect.
  ///
  /// - Parameter silencing: True (the default) to cancel events sent for later times and to end all
  ///   sound.
  public func end(silencing: Bool = true) {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    events.end(silencing: silencing)
    listeners.end()
    publisher?.withdraw()
  }

  /// True if sources have emitted all events, and the last one has been audible.
  public var hasFinished: Bool { events.hasFinished }

  /// The error that ended the thread, such as a lost port; nil if it did not fail.
  public var failure: (any Error)? { events.failure }

  /// The scheduling that the system granted to the event thread.
  public var scheduling: RealtimeThread.Scheduling { events.scheduling }

  /// Passes a command to the event thread, which runs it as soon as it wakes; commands run in the
  /// order of the calls.
  ///
  /// If a command throws, the event thread ends, so check for errors before you call this.
  @discardableResult
  public func perform(_ command: @escaping EventThread.Command) -> CommandReceipt {
    let progress = CommandProgress()
    events.perform { [listeners] scheduler in
      try command(scheduler)
      progress.note(step: listeners.nextStep, at: scheduler.commandTime)
    }
    return CommandReceipt(progress: progress, listeners: listeners)
  }

  /// Emits events up to the horizon after the output's position, and waits until this is complete,
  /// for at most a second.
  ///
  /// Call it if the output renders faster than real time.
  public func catchUp() {
    events.catchUp()
  }

  /// Runs a command on the thread once the output has started.
  @discardableResult
  func performWhenHeard(_ command: @escaping EventThread.Command) -> CommandReceipt {
    wait(with: command) { try $0.whenHeard($1) }
  }

  /// Runs a command on the thread at once, or after those that wait for the output to start.
  @discardableResult
  func performInOrder(_ command: @escaping EventThread.Command) -> CommandReceipt {
    wait(with: command) { try $0.inOrder($1) }
  }

  private func wait(
    with command: @escaping EventThread.Command,
    _ turn: @escaping @Sendable (EventScheduler, @escaping EventThread.Command) throws -> Void
  ) -> CommandReceipt {
    let progress = CommandProgress()
    let body: EventThread.Command = { [listeners] scheduler in
      try command(scheduler)
      progress.note(step: listeners.nextStep, at: scheduler.commandTime)
    }
    events.perform { try turn($0, body) }
    return CommandReceipt(progress: progress, listeners: listeners)
  }
}

extension Transport {
  /// The current position and motion of the clock, and the state of its master.
  ///
  /// - Note: Does not wait for the event thread.
  public var snapshot: ClockSnapshot { control.withLock { snapshot(of: &$0) } }

  private func snapshot(of control: inout Control) -> ClockSnapshot {
    let state = published.read()
    return ClockSnapshot(state, of: control.clock(of: state.clock.edition))
  }

  /// True if the clock will run when all commands that were given have taken effect.
  public var isToRun: Bool { control.withLock { isToRun(&$0) } }

  func isToRun(_ control: inout Control) -> Bool {
    if let order = control.order, !order.receipt.isInEffect, failure == nil,
      !hasEnded.load(ordering: .acquiring)
    {
      return order.runs
    }
    return snapshot(of: &control).isRunning
  }

  /// The relation of the transport's reference time to host time; nil before the output runs.
  public var base: TimeBase? { control.withLock { _ in published.read().base } }

  /// Releases maps that the event thread does not use any more.
  func forgetMaps(_ control: inout Control) {
    _ = control.clock(of: published.read().clock.edition)
  }

  /// A stream of all events of the clock, from now until the clock ends.
  ///
  /// - Throws: `RealtimeError` if a thread cannot be started.
  public var eventStream: AsyncStream<ClockEvent> {
    get throws(RealtimeError) {
      try listeners.start()
      return listeners.observers.stream
    }
  }

  /// Calls a closure with each event of the clock, on a separate thread.
  ///
  /// - Returns: A number with which `forget(_:)` ends the calls.
  /// - Throws: `RealtimeError` if a thread cannot be started.
  @discardableResult
  public func observe(
    _ body: @escaping @Sendable (ClockEvent) -> Void
  ) throws(RealtimeError) -> Int {
    try listeners.start()
    return listeners.observers.add(body)
  }

  /// Ends the calls to a closure that was passed to `observe(_:)`.
  ///
  /// - Parameter observer: The number that `observe(_:)` returned.
  public func forget(_ observer: Int) {
    listeners.observers.remove(observer)
  }
}
