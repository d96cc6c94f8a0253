// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Makes a change at an instant.
  ///
  /// Events that were already sent for later times are cancelled, and emitted again after the
  /// change.
  ///
  /// - Parameters:
  ///   - time: The instant of the change; if nil or too early, the earliest instant at which it can
  ///     take effect.
  ///   - body: Changes the clock or the sources, and appends events that are due at the instant.
  /// - Throws: The errors of `body`, or of a sink.
  public func interrupt(
    at time: ReferenceTime? = nil,
    _ body: (TransportPosition, inout MusicClock, inout EventBuffer) throws -> Void
  ) throws {
    let position = try takeBack(at: time)
    let old = lane.clock
    try body(position, &lane.clock, &lane.buffer)
    lane.reportChanges(since: old)
    try route()
  }

  /// Starts the clock, so that `tick` sounds at `time`, or as soon as possible if `time` is nil or
  /// too early.
  ///
  /// Does nothing if there is a master, because the master starts the clock.
  ///
  /// - Throws: `TimeError` if the play rate does not fit; the errors of a sink.
  public func start(from tick: Tick, at time: ReferenceTime? = nil) throws {
    guard lane.master == nil else { return }
    let now = try halt(at: nil)
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.start(from: tick, at: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route()
  }

  /// Starts the clock from its current position, which may be between ticks.
  ///
  /// If there is a master and it is running, the clock continues at the master's position.
  ///
  /// - Throws: `TimeError` if the play rate does not fit; the errors of a sink.
  public func start(at time: ReferenceTime? = nil) throws {
    guard !lane.isRunning else { return }
    guard lane.master == nil else { return try join() }
    let now = try takeBack(at: nil).time
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.start(at: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route()
  }

  /// Stops the clock, and cuts off all sound.
  ///
  /// - Throws: The errors of a sink.
  public func stop(at time: ReferenceTime? = nil) throws {
    _ = try halt(at: time)
  }

  /// Moves to a tick, running or stopped; sounding notes are released.
  ///
  /// Does nothing if there is a master, because the master determines the position.
  ///
  /// - Throws: The errors of a sink.
  public func locate(to tick: Tick, at time: ReferenceTime? = nil) throws {
    try locate(toTicks: Ratio(tick.value), at: time)
  }

  /// Moves to a position between ticks, running or stopped; sounding notes are released.
  ///
  /// If MIDI clock is sent, followers must be notified 12 ms in advance. The move therefore waits
  /// for the first clock after that time, so that the beat of the followers continues without a
  /// gap.
  ///
  /// Does nothing if there is a master, because the master determines the position.
  ///
  /// - Throws: `TimeError.overflow` if the tick does not fit in 64 bits; the errors of a sink.
  public func locate(toTicks ticks: Ratio, at time: ReferenceTime? = nil) throws {
    guard lane.master == nil else { return }
    var now = try takeBack(at: time).time
    if let later = try lane.prepareLocate(toTicks: ticks, from: now) {
      now = try takeBack(at: later).time
    }
    try router.release(at: now)
    try lane.clock.locate(toTicks: ticks, at: now)
    lane.move(to: lane.position(at: now), by: .locate)
    try route()
  }

  /// Changes the play rate.
  ///
  /// - Throws: `TimeError` unless the rate is above 0 and at most 32; the errors of a sink.
  public func setPlayRate(_ rate: Ratio, at time: ReferenceTime? = nil) throws {
    try interrupt(at: time) { position, clock, _ in
      try clock.setPlayRate(rate, at: position.time)
    }
  }

  /// Changes the routes.
  ///
  /// If a route is added or removed, all sounding notes on all routes are released. If only filters
  /// or transforms change, sounding notes keep their routes.
  ///
  /// - Throws: The errors of a sink.
  public func setRoutes(_ routes: [Route], at time: ReferenceTime? = nil) throws {
    let old = router.routes
    let keepsWays =
      old.count == routes.count
      && routes.allSatisfy { route in
        old.contains { $0.track == route.track && $0.destination == route.destination }
      }
    let now = try takeBack(at: time).time
    if !keepsWays { try router.release(at: now) }
    router.setRoutes(routes)
  }

  /// Stops the clock, cancels the events due from an instant on, and silences all destinations.
  ///
  /// - Throws: The errors of a sink.
  public func silence(at time: ReferenceTime? = nil) throws {
    try stopClock(at: time)
    try router.silence(at: lane.end)
    try tellStop()
  }

  /// Stops the clock and notifies followers and a controlled master; sounding notes ring out.
  ///
  /// Does nothing if no clock is sent to other machines and the master is not controlled.
  ///
  /// - Throws: The errors of a sink.
  public func conclude() throws {
    guard !lane.generators.isEmpty || lane.master?.master.isLed == true else { return }
    try stopClock(at: nil)
    try tellStop()
  }

  private func stopClock(at time: ReferenceTime?) throws {
    let position = try takeBack(at: time)
    guard lane.isRunning else { return lane.stopClock(at: position.time) }
    lane.stopClock(at: position.time)
    lane.announce(.stop, to: position)
    lane.report(.stop, to: position, because: .command)
  }

  private func tellStop() throws {
    guard !lane.generators.isEmpty else { return }
    lane.emitStanding(
      lane.end..<lane.end.advanced(byNanoseconds: 1),
      nanosecondsPerQuarter: lane.nanosecondsPerQuarter)
    try route()
  }

  /// Stops a running clock and ends sound; returns the instant.
  private func halt(at time: ReferenceTime?) throws -> ReferenceTime {
    let position = try takeBack(at: time)
    guard lane.isRunning else { return position.time }
    lane.stopClock(at: position.time)
    try router.release(at: position.time, cuttingSound: true)
    lane.move(to: position, by: .stop)
    try route()
    return position.time
  }

  /// The distance in nanoseconds from a command's own events to events that can be cancelled: more
  /// than a frame, within which instruments do not distinguish events.
  private static var commandSpacing: Int64 { 1_000_000 }

  private func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime {
    lane.generators.reduce(time) { $1.earliestCommand(atOrAfter: $0) }
  }

  /// Cancels the events from an instant on, and moves the lane there.
  ///
  /// Events that the last command sent for its instant are kept, even if the position has not moved
  /// since; events from slightly later on are cancelled.
  ///
  /// - Parameters:
  ///   - time: The instant; nil for as soon as possible.
  ///   - before: The position of the lane at the instant, if its master has been moved since; nil
  ///     to use that of the lane.
  /// - Returns: The position of the lane, at the instant that took effect.
  /// - Throws: The errors of a sink.
  @discardableResult
  func takeBack(
    at time: ReferenceTime?, standingAt before: TransportPosition? = nil
  ) throws -> TransportPosition {
    let hasMovedOn = lane.end > lane.floor
    let kept = hasMovedOn ? lane.floor.advanced(saturating: Self.commandSpacing) : lane.floor
    let first = max(heard, kept)
    var now = earliestCommand(atOrAfter: max(time ?? earliest ?? lane.end, first))
    if lane.isRunning || lane.hasBegun, now > lane.end { try emit(to: now) }
    if now < lane.end {
      let taken = router.takeBack(from: now)
      // If a sink keeps events after the instant, all sinks keep them.
      if taken > now { now = earliestCommand(atOrAfter: min(taken, lane.end)) }
      try router.forget(from: now)
      if now > lane.end { try emit(to: now) }
    }
    for generator in lane.generators { generator.rewind(to: now) }
    var position = before ?? lane.position(at: now)
    position.time = now
    if lane.isRunning { lane.stand(at: position) }
    lane.end = now
    lane.floor = now
    lane.lastTime = min(lane.lastTime, now)
    lane.isFinished = false
    return position
  }
}
