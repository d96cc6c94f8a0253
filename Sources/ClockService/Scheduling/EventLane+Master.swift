// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

extension EventLane {
  /// What drives the lane.
  var driver: any LaneDriver { master ?? own }

  /// Whether the lane's clock runs, or its master's.
  public var isRunning: Bool { driver.isRunning }

  /// How long before a start those who follow the lane must be told of it, in nanoseconds.
  var announcementLead: Int64 { generators.isEmpty ? 0 : 12_000_000 }

  /// Where the lane stands at an instant.
  public func position(at time: ReferenceTime) -> TransportPosition { driver.position(at: time) }

  /// Stops the lane's clock; a master stops itself.
  func stopClock(at time: ReferenceTime) {
    let old = clock
    clock.stop(at: time)
    reportChanges(since: old)
    master?.stop(at: time)
  }

  /// Up to when events are emitted, seen from a position.
  func limit(at position: ReferenceTime) -> ReferenceTime {
    let ahead = position.advanced(by: horizon)
    guard isRunning || generators.isEmpty else { return ahead }
    let least = position.advanced(by: leastHorizon)
    return min(ahead, driver.limit(at: position, atLeast: least))
  }

  /// Gives generators a window in which the lane stands.
  ///
  /// - Parameters:
  ///   - window: the window.
  ///   - followed: how long a quarter note is by the master; nil for the lane's own clock.
  func emitStanding(_ window: ReferenceWindow, nanosecondsPerQuarter followed: Ratio?) {
    guard !window.isEmpty, !generators.isEmpty else { return }
    let quarter = followed ?? nanosecondsPerQuarter
    for generator in generators {
      generator.emitStanding(window, nanosecondsPerQuarter: quarter, into: &buffer)
    }
  }

  /// How long a quarter note is where the lane stands.
  var nanosecondsPerQuarter: Ratio {
    driver.nanosecondsPerQuarter ?? clock.nanosecondsPerQuarter(at: position(at: end).tick)
  }

  /// Tells generators of a move.
  func announce(_ move: TransportMove, to position: TransportPosition) {
    for generator in generators {
      switch move {
      case .start where isStartAnnounced: break
      case .start:
        // Behind a master that runs already, the place is where it is by then.
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

  /// Tells generators that the master's next clock starts it.
  func announceArmed() {
    guard let master, !generators.isEmpty else { return }
    for generator in generators { generator.prepareStart(at: master.standing, time: nil) }
    isStartAnnounced = true
  }

  /// Tells generators that the start they were told of will not come.
  func withdrawArmed(at time: ReferenceTime) {
    guard isStartAnnounced else { return }
    for generator in generators { generator.stop(at: time) }
    isStartAnnounced = false
  }
}

extension EventScheduler {
  /// Takes what the master has sent, and lets its time pass.
  ///
  /// - Throws: what the input or a sink throws when it is gone; `TimeError.overflow` where the master
  ///   goes to a place that no tick can name.
  func followMaster(at now: ReferenceTime) throws {
    guard lane.master != nil else { return }
    received.removeAll()
    try lane.masterInput?.drain(into: &received)
    // Before its output runs, reference time has no place on the host's clock.
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

  /// Takes up the master where it is, if it moves.
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

  /// When what a master does takes effect: at once, or where an output is rendered ahead, as soon
  /// as can be.
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

  /// The place before an event at the instant at which that takes effect.
  private func place(
    _ before: TransportPosition, of event: FollowerEvent, _ master: ExternalClock
  ) -> TransportPosition {
    var place = before
    switch (event, master.master.hold) {
    // While the output waits: what sounds ends, and channels are brought into their state.
    case (_, .some(let hold)): place.time = hold.standing
    // Nothing was sent that would have to be taken back: a start may follow at once.
    case (.located, nil) where !master.isRunning && lane.generators.isEmpty:
      place.time = max(heard, lane.floor)
    case (_, nil): break
    }
    return place
  }

  /// Takes back what was sent for later, releases what sounds, and moves the lane.
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
