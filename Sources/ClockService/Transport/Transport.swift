// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// Where clock, song and device meet: a scheduler on a thread of its own, read and listened to by
/// anyone.
///
/// With nothing to play it is a clock, that runs by itself or behind a master, before any number of
/// others; with a player on it, a playback. Commands take effect within a few milliseconds, in the
/// order in which they are given; what comes of them is told as events. Any number of transports
/// may run at once.
///
/// - Note: any thread may use it. Not real-time safe.
public final class Transport: Sendable {
  /// How far ahead a start lies where no time is given: so far that all who follow
  /// are told of it before.
  public let lead: Duration

  /// Whether other processes read all of its maps; false where they are too long.
  public let servesWholeMaps: Bool

  let events: EventThread
  let control: Mutex<Control>
  let listeners: ClockListeners
  private let published: Snapshot<ClockSnapshot.State>
  private let publisher: SharedClockPublisher?
  private let hasEnded = Atomic(false)

  struct Control: Sendable {
    /// The maps and properties, the newest last, after those that the event thread may still have;
    /// the motion is the event thread's.
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

  /// Starts a clock: it stands, or follows its master.
  ///
  /// - Parameters:
  ///   - clock: Its maps and properties, and where it stands.
  ///   - sync: What it follows and leads.
  ///   - name: The name under which other processes read it; nil for none.
  ///   - machine: The clock that it runs by; nil for the machine's own.
  ///   - pace: Returns the frames of a device whose pace the clock follows, or nil for the
  ///     machine's pace; called on the thread each time it steps. By default the machine's pace.
  /// - Throws: `SharedSnapshotError` where the name cannot be had; `RealtimeError` where no thread
  ///   can be.
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
    // The transport's from here on.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) let reference = scheduler.reference
    var position: (@Sendable () -> ReferenceTime)?
    if let pace {
      position = { unsafe reference.look(pace(), at: machine.now) }
    }
    try unsafe self.init(owned, lead: lead, name: name, machine: machine, position: position)
  }

  /// Starts the thread that steps a scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler; from here on it is the transport's.
  ///   - lead: How far ahead a start lies where no time is given; zero for as soon as
  ///     can be.
  ///   - name: The name under which other processes read it; nil for none.
  ///   - machine: The clock that it runs by; nil for the machine's own.
  ///   - position: The reference time up to which its output has rendered, asked on the thread; nil
  ///     without an output.
  /// - Throws: `SharedSnapshotError` where the name cannot be had; `RealtimeError` where no thread
  ///   can be.
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
    // The event thread's from here on, as is the state that is served.
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

  /// Ends the thread: the clock stops, those who follow and those who listen are told.
  ///
  /// The first call counts.
  ///
  /// - Parameter silencing: whether what was sent for later is taken back and what sounds ended.
  public func end(silencing: Bool = true) {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    events.end(silencing: silencing)
    listeners.end()
    publisher?.withdraw()
  }

  /// Whether every source has emitted all it had, and the last event has been heard.
  public var hasFinished: Bool { events.hasFinished }

  /// What ended the thread before its time: a port that is gone.
  public var failure: (any Error)? { events.failure }

  /// How the thread is scheduled.
  public var scheduling: RealtimeThread.Scheduling { events.scheduling }

  /// Has a command run on the thread, at once and in order.
  ///
  /// An error that it throws ends the thread: check before.
  @discardableResult
  public func perform(_ command: @escaping EventThread.Command) -> CommandReceipt {
    let progress = CommandProgress()
    events.perform { [listeners] scheduler in
      try command(scheduler)
      progress.note(step: listeners.nextStep, at: scheduler.commandTime)
    }
    return CommandReceipt(progress: progress, listeners: listeners)
  }

  /// Brings what is emitted up to the horizon of the output's position, and returns then, or after a
  /// second: for an output that renders faster than real time.
  public func catchUp() {
    events.catchUp()
  }

  /// Has a command run on the thread once the output has begun.
  @discardableResult
  func performWhenHeard(_ command: @escaping EventThread.Command) -> CommandReceipt {
    wait(with: command) { try $0.whenHeard($1) }
  }

  /// Has a command run on the thread at once, or after those that wait for the output to begin.
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
  /// Where the clock is, how it runs, and what it knows of its master.
  ///
  /// - Note: never waits for the clock.
  public var snapshot: ClockSnapshot { control.withLock { snapshot(of: &$0) } }

  private func snapshot(of control: inout Control) -> ClockSnapshot {
    let state = published.read()
    return ClockSnapshot(state, of: control.clock(of: state.clock.edition))
  }

  /// Whether the clock runs once the commands given so far have taken effect.
  public var isToRun: Bool { control.withLock { isToRun(&$0) } }

  func isToRun(_ control: inout Control) -> Bool {
    if let order = control.order, !order.receipt.isInEffect, failure == nil,
      !hasEnded.load(ordering: .acquiring)
    {
      return order.runs
    }
    return snapshot(of: &control).isRunning
  }

  /// Where its time lies on the host's clock; nil before the output runs.
  public var base: TimeBase? { control.withLock { _ in published.read().base } }

  /// Lets go of maps that the event thread has no more.
  func forgetMaps(_ control: inout Control) {
    _ = control.clock(of: published.read().clock.edition)
  }

  /// Everything that happens to the clock from now on, until it ends.
  ///
  /// - Throws: `RealtimeError` where no thread can be had to tell of it.
  public var eventStream: AsyncStream<ClockEvent> {
    get throws(RealtimeError) {
      try listeners.start()
      return listeners.observers.stream
    }
  }

  /// Calls a closure with everything that happens to the clock, on a thread for that alone.
  ///
  /// - Returns: What `forget` takes.
  /// - Throws: `RealtimeError` where no thread can be had to tell of it.
  @discardableResult
  public func observe(
    _ body: @escaping @Sendable (ClockEvent) -> Void
  ) throws(RealtimeError) -> Int {
    try listeners.start()
    return listeners.observers.add(body)
  }

  /// Ends what `observe` began.
  public func forget(_ observer: Int) {
    listeners.observers.remove(observer)
  }
}
