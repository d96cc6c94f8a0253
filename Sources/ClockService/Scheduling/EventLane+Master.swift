// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

extension EventLane {
  /// The clock or master that drives the lane.
  var driver: any LaneDriver { master ?? own }

  /// True while the clock of the lane, or its master, runs.
  public var isRunning: Bool { driver.isRunning }

  /// The time in nanoseconds by which generators must be notified of a start in advance.
  var announcementLead: Int64 { generators.isEmpty ? 0 : 12_000_000 }

  /// Returns the position of the lane at an instant.
  public func position(at time: ReferenceTime) -> TransportPosition { driver.position(at: time) }

  /// Stops the lane's clock, and its master as far as the lane is concerned.
  func stopClock(at time: ReferenceTime) {
    let old = clock
    clock.stop(at: time)
    reportChanges(since: old)
    master?.stop(at: time)
  }

  /// The instant up to which events are emitted, for a position.
  func limit(at position: ReferenceTime) -> ReferenceTime {
    let ahead = position.advanced(by: horizon)
    guard isRunning || generators.isEmpty else { return ahead }
    let least = position.advanced(by: leastHorizon)
    return min(ahead, driver.limit(at: position, atLeast: least))
  }

  /// Passes generators a window in which the lane is stopped.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - followed: The length of a quarter note of the master; nil for that of the lane's clock.
  func emitStanding(_ window: ReferenceWindow, nanosecondsPerQuarter followed: Ratio?) {
    guard !window.isEmpty, !generators.isEmpty else { return }
    let quarter = followed ?? nanosecondsPerQuarter
    for generator in generators {
      generator.emitStanding(window, nanosecondsPerQuarter: quarter, into: &buffer)
    }
  }

  /// The length of a quarter note at the position of the lane.
  var nanosecondsPerQuarter: Ratio {
    driver.nanosecondsPerQuarter ?? clock.nanosecondsPerQuarter(at: position(at: end).tick)
  }

  /// Notifies generators of a move.
  func announce(_ move: TransportMove, to position: TransportPosition) {
    for generator in generators {
      switch move {
      case .start where isStartAnnounced: break
      case .start:
        // With a master that is running, the position is the one at the start.
        let time = max(position.time, master?.master.hold?.start ?? position.time)
        generator.prepareStart(at: self.position(at: time).tick, time: time)
      case .stop: generator.stop(at: position.time)
      case .locate, .loop, .skip:
        generator.locate(to: position.tick)
        if isRunning { generator.prepareStart(at: position.tick, time: position.time) }
      }
    }
    isStartAnnounced = false
  }

  /// Notifies generators that the master's next clock starts the lane.
  func announceArmed() {
    guard let master, !generators.isEmpty else { return }
    for generator in generators { generator.prepareStart(at: master.standing, time: nil) }
    isStartAnnounced = true
  }

  /// Notifies generators that an announced start was cancelled.
  func withdrawArmed(at time: ReferenceTime) {
    guard isStartAnnounced else { return }
    for generator in generators { generator.stop(at: time) }
    isStartAnnounced = false
  }
}

extension EventScheduler {
  /// Processes the messages of the master, and the time that has passed.
  ///
  /// - Throws: The errors of the input or of a sink; `TimeError.overflow` if a position of the
  ///   master does not fit in a tick.
  func followMaster(at now: ReferenceTime) throws {
    guard lane.master != nil else { return }
    received.removeAll()
    try lane.masterInput?.drain(into: &received)
    // Before the output runs, reference time cannot be converted to host time.
    guard let base = reference.base else { return }
    for event in received.events {
      let before = lane.position(at: moment(at: now))
      guard let events = lane.master?.take(event, payloads: received.payloads.span) else {
        continue
      }
      try perform(events, before)
    }
    let before = lane.position(at: moment(at: now))
    let host = base.hostTime(of: now, .scheduled)
    guard let events = lane.master?.master.advance(to: host) else { return }
    try perform(events, before)
  }

  /// Joins the master at its position, if it is running.
  func join() throws {
    let now = moment(at: heard)
    guard let master = lane.master, !master.isRunning else { return }
    master.command(true, at: now)
    guard master.master.isMoving,
      let host = reference.base?.hostTime(of: now), let line = master.master.line(at: host)
    else { return }
    let tick = Tick(line.firstCount(atOrAfter: host))
    try move(to: tick, by: .start, lane.position(at: now))
  }

  /// The time at which an action of the master takes effect: now, or as soon as possible if an
  /// output renders ahead.
  private func moment(at now: ReferenceTime) -> ReferenceTime {
    max(lane.leastHorizon > .zero ? soonest : now, lane.floor)
  }

  private func perform(_ events: FollowerEvents, _ before: TransportPosition) throws {
    for event in events {
      try perform(event, before)
      lane.report(.master(event))
    }
  }

  private func perform(_ event: FollowerEvent, _ before: TransportPosition) throws {
    guard let master = lane.master else { return }
    let before = place(before, of: event, master)
    switch event {
    case .located(let place) where master.isArmed && !master.isRunning:
      try move(to: master.master.tick(of: place), by: .locate, before)
    case .armed where master.isArmed && !master.isRunning && lane.leastHorizon == .zero:
      try takeBack(at: before.time, standingAt: before)
      lane.announceArmed()
    case .started(let place, _) where master.isArmed && !master.isRunning:
      try move(to: master.master.tick(of: place), by: .start, before)
    case .stopped(let reason, let place) where master.isRunning:
      try move(to: master.master.tick(of: place), by: .stop, before, because: reason)
    case .stopped:
      lane.withdrawArmed(at: lane.end)
    case .jumped(let place) where master.isRunning:
      try move(to: master.master.tick(of: place), by: .locate, before)
    default:
      break
    }
  }

  /// The position before an event, at the instant at which the event takes effect.
  private func place(
    _ before: TransportPosition, of event: FollowerEvent, _ master: ExternalClock
  ) -> TransportPosition {
    var place = before
    switch (event, master.master.hold) {
    // While the output waits: sounding notes end, and channels are restored.
    case (_, .some(let hold)): place.time = hold.standing
    // Sent events need not be cancelled, because a start may follow at once.
    case (.located, nil) where !master.isRunning && lane.generators.isEmpty:
      place.time = max(heard, lane.floor)
    case (_, nil): break
    }
    return place
  }

  /// Cancels events sent for later, releases sounding notes, and moves the lane.
  private func move(
    to tick: Tick, by move: TransportMove, _ before: TransportPosition,
    because reason: StopReason = .command
  ) throws {
    try takeBack(at: before.time, standingAt: before)
    let time = lane.end
    if move != .start { try router.release(at: time, cuttingSound: move == .stop) }
    lane.master?.standing = tick
    if move != .locate { lane.master?.isRunning = move == .start }
    let position = TransportPosition(time: time, tick: tick, unwrapped: tick)
    lane.move(to: position, by: move, because: reason)
    try route()
  }
}
