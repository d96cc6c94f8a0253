// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// A clock that runs on a thread of its own: by itself or behind a master, before any number of
/// others, and read and listened to by anyone.
///
/// Commands take effect within a few milliseconds, in the order in which they are given; what
/// comes of them is told as events. Any number of clocks may run at once.
///
/// - Note: any thread may use it. Not real-time safe.
public final class LiveClock: Sendable {
  /// How far ahead a start lies where no time is given, in nanoseconds: those who follow are told
  /// before, the earliest of them too.
  public let lead: Int64

  /// Whether other processes read all of its maps; false where they are too long.
  public let servesWholeMaps: Bool

  private let events: EventThread
  private let listeners: ClockListeners
  private let published: Snapshot<ClockSnapshot.State>
  private let publisher: SharedClockPublisher?
  private let control: Mutex<Control>
  private let hasEnded = Atomic(false)

  private struct Control: Sendable {
    /// The maps and properties, the newest last, after those that the event thread may still have;
    /// the motion is the event thread's.
    var clocks: [MusicClock]
    var isFollowing: Bool
    /// The tempo set by hand, until the clock is stopped.
    var tempo: Tempo?

    var clock: MusicClock { clocks[clocks.count - 1] }

    mutating func set(_ clock: MusicClock) {
      if clock.edition == self.clock.edition { clocks.removeLast() }
      clocks.append(clock)
    }

    mutating func clock(of edition: UInt32) -> MusicClock {
      while clocks.count > 1, clocks[0].edition != edition { clocks.removeFirst() }
      return clocks[0]
    }
  }

  /// Starts the thread; the clock stands, or follows its master.
  ///
  /// - Parameters:
  ///   - clock: Its maps and properties, and where it stands.
  ///   - sync: What it follows and leads.
  ///   - name: The name under which other processes read it; nil for none.
  /// - Throws: `SharedSnapshotError` where the name cannot be had; `RealtimeError` where no thread
  ///   can be.
  public init(_ clock: MusicClock, sync: sending ClockSync = ClockSync(), name: String? = nil)
    throws
  {
    let scheduler = EventScheduler(
      clock: clock, sources: [], router: Router(), start: Self.now)
    let routes = sync.addDestinations(to: scheduler.router, along: scheduler.reference)
    for route in routes { scheduler.router.addRoute(route) }
    let lane = scheduler.lanes[0]
    try scheduler.router.rehearse()
    lead = EventThread.portHorizon - (sync.outputs.map(\.delay).min().map { min($0, 0) } ?? 0)
    lane.horizon = lead
    lane.use(sync)
    let listeners = try ClockListeners()
    let onEvent = sync.onEvent
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
        clocks: [clock], isFollowing: sync.master != nil, tempo: clock.tempoOverride))
    let board = published.writer
    // The event thread's from here on, as is the state that is served.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) var served = state
    events = try unsafe EventThread(owned, position: { Self.now }) { [publisher] scheduler, time in
      let lane = scheduler.lanes[0]
      board.write(lane.snapshotState(at: time))
      guard let publisher else { return }
      unsafe lane.describe(in: &served, at: time)
      publisher.write(unsafe served)
    }
  }

  private static var now: ReferenceTime {
    TimeBase.host.time(at: HostTime(nanoseconds: DeadlineWait.now))
  }

  deinit {
    end()
  }

  /// Ends the thread: the clock stops, those who follow and those who listen are told.
  public func end() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    events.stop(silencing: true)
    listeners.end()
    publisher?.withdraw()
  }

  /// What ended the thread before its time: a port that is gone.
  public var failure: (any Error)? { events.failure }

  /// How the thread is scheduled.
  public var scheduling: RealtimeThread.Scheduling { events.scheduling }
}

extension LiveClock {
  /// Where the clock is, how it runs, and what it knows of its master.
  ///
  /// - Note: never waits for the clock.
  public var snapshot: ClockSnapshot {
    control.withLock { control in
      let state = published.read()
      return ClockSnapshot(state, of: control.clock(of: state.clock.edition))
    }
  }

  /// Everything that happens to the clock from now on, until it ends.
  public var happenings: AsyncStream<ClockEvent> {
    let listeners = listeners
    return AsyncStream { continuation in
      let listener = listeners.add {
        continuation.yield($0)
      } onEnd: {
        continuation.finish()
      }
      continuation.onTermination = { _ in listeners.remove(listener) }
    }
  }

  /// Calls a closure with everything that happens to the clock, on a thread for that alone.
  ///
  /// - Returns: What `forget` takes.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (ClockEvent) -> Void) -> Int {
    listeners.add(body)
  }

  /// Ends what `observe` began.
  public func forget(_ listener: Int) {
    listeners.remove(listener)
  }
}

extension LiveClock {
  /// Starts the clock: from a tick, or from where it stands, fractions of one included.
  ///
  /// - Parameters:
  ///   - tick: The tick; nil for where it stands.
  ///   - time: When it is reached; nil for `lead` from now, on the beat that followers have heard.
  /// - Throws: `ClockError.follows` behind a master.
  public func start(at tick: Tick? = nil, time: HostTime? = nil) throws(ClockError) {
    try requireAlone("start")
    let earliest = Self.now.advanced(saturating: lead)
    let time = time.map { TimeBase.host.time(at: $0) }
    events.perform { scheduler in
      let time = time ?? scheduler.lanes[0].nextBeat(atOrAfter: earliest)
      if let tick {
        try scheduler.start(at: tick, time: time)
      } else {
        try scheduler.resume(at: time)
      }
    }
  }

  /// Starts the clock from any position, a fraction of a beat too.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: When it is reached; nil as for a tick.
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  public func start(at position: TimePosition, time: HostTime? = nil) throws(ClockError) {
    try requireAlone("start")
    let ticks = try ticks(of: position)
    stop()
    events.perform { try $0.locate(toTicks: ticks) }
    try start(time: time)
  }

  /// Stops the clock where it is; behind a master `follow` takes it up again.
  public func stop() {
    control.withLock { control in
      control.tempo = nil
      events.perform { try $0.stop() }
    }
  }

  /// Goes to a tick, running or not.
  ///
  /// - Throws: `ClockError.follows` behind a master.
  public func locate(to tick: Tick) throws(ClockError) {
    try requireAlone("position")
    events.perform { try $0.locate(to: tick) }
  }

  /// Goes to a position, a fraction of a beat too, running or not.
  ///
  /// It is held rounded down to 2⁻¹⁶ of the map's unit, some 3·10⁻¹⁶ s at 480 PPQN.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  public func locate(to position: TimePosition) throws(ClockError) {
    try requireAlone("position")
    let ticks = try ticks(of: position)
    events.perform { try $0.locate(toTicks: ticks) }
  }

  private func ticks(of position: TimePosition) throws(ClockError) -> Ratio {
    let context = control.withLock { $0.clock.timeContext }
    do {
      let ticks = try context.ticks(of: position)
      _ = try ticks.rounded(.floor, unit: "ticks")
      return ticks
    } catch {
      throw .time(error)
    }
  }

  /// Goes to a time in any format: `33|1`, `00:01:00:00`, `1:30`.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for what is no time.
  public func locate(to text: String) throws(ClockError) {
    let context = control.withLock { $0.clock.timeContext }
    let position: TimePosition
    do {
      position = try context.position(of: TimeExpression(text))
    } catch {
      throw .time(error)
    }
    try locate(to: position)
  }

  /// Lets the master start the clock and set its position; without one nothing happens.
  public func arm() {
    events.perform { $0.setArmed(true) }
  }

  /// Lets the master no longer start the clock; one that runs runs on until the master stops.
  public func disarm() {
    events.perform { $0.setArmed(false) }
  }

  /// Puts a master in the place of the clock's own time, or with nil that in the place of the
  /// master.
  ///
  /// - Parameters:
  ///   - source: What is followed: maps, label and freewheel time are the clock's.
  ///   - input: What brings its messages; nil for a clock of another process.
  /// - Throws: `ClockError.runs` where the clock runs.
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) {
    if snapshot.isRunning { throw .runs("sync") }
    control.withLock { ($0.isFollowing, $0.tempo) = (source != nil, nil) }
    // The event thread's from here on.
    nonisolated(unsafe) let given = input
    events.perform { scheduler in
      let clock = scheduler.lanes[0].clock
      let master = source.map { ExternalClock(following: $0, for: clock) }
      try unsafe scheduler.follow(master, input: given)
    }
  }

  private func requireAlone(_ what: String) throws(ClockError) {
    if control.withLock({ $0.isFollowing }) { throw .follows(what) }
  }
}

extension LiveClock {
  /// Changes how fast the clock runs: 2 is twice as fast as written.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a rate outside 0…32,
  ///   zero not included.
  public func setPlayRate(_ rate: Ratio) throws(ClockError) {
    try requireAlone("play rate")
    try change { clock, time throws(TimeError) in try clock.setPlayRate(rate, at: time) }
  }

  /// Sets the tempo by hand until the clock stops; nil gives it back to the map.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.stands` where the clock stands;
  ///   `ClockError.time` for a play rate that does not fit beside it.
  public func setTempo(_ tempo: Tempo?) throws(ClockError) {
    try requireAlone("tempo")
    guard snapshot.isRunning else { throw .stands("tempo") }
    do {
      try control.withLock { control throws(TimeError) in
        try control.clock.check(tempo)
        control.tempo = tempo
        events.perform { scheduler in
          // Stopped meanwhile, it would have been forgotten.
          if scheduler.lanes[0].clock.isRunning { try scheduler.setTempo(tempo) }
        }
      }
    } catch {
      throw .time(error)
    }
  }

  /// Puts another tempo map in the place of the clock's; the tick stays.
  ///
  /// - Throws: `ClockError.time` for a play rate that does not fit the new map.
  public func setTempoMap(_ map: TempoMap) throws(ClockError) {
    try change { clock, time throws(TimeError) in try clock.setTempoMap(map, at: time) }
  }

  /// Changes the meters by which bars are counted.
  public func setMeterMap(_ map: MeterMap) throws(ClockError) {
    try change { clock, _ in clock.meterMap = map }
  }

  /// Changes the rate of labels and the label of tick 0.
  public func setLabels(at rate: FrameRate?, offset: Timecode?) throws(ClockError) {
    try change { clock, _ in (clock.frameRate, clock.smpteOffset) = (rate, offset) }
  }

  /// Changes the rate at which positions are counted in samples.
  public func setSampleRate(_ rate: SampleRate?) throws(ClockError) {
    try change { clock, _ in clock.sampleRate = rate }
  }

  /// Changes how long the clock goes on without its master, in nanoseconds.
  public func setFreewheel(_ nanoseconds: Int64) throws(ClockError) {
    try change { clock, _ in clock.freewheel = nanoseconds }
  }

  /// Changes the part that is gone through over and over; nil goes on.
  public func setLoop(_ loop: LoopRange?) throws(ClockError) {
    try change { clock, time in clock.setLoop(loop, at: time) }
  }

  /// Makes a change here, where it may fail, and then where the clock runs.
  private func change(
    _ body: @escaping @Sendable (inout MusicClock, ReferenceTime) throws(TimeError) -> Void
  ) throws(ClockError) {
    do {
      try control.withLock { control throws(TimeError) in
        // Maps that the event thread has no more need not be kept.
        _ = control.clock(of: published.read().clock.edition)
        var clock = control.clock
        try body(&clock, .zero)
        try clock.check(control.tempo)
        control.set(clock)
        events.perform { scheduler in
          try scheduler.interrupt { position, clock, _ in try body(&clock, position.time) }
        }
      }
    } catch {
      throw .time(error)
    }
  }
}
