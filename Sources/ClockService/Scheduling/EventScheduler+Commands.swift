// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Changes something at an instant: what was sent for later is taken back, and emitted anew after
  /// the change.
  ///
  /// - Parameters:
  ///   - time: when; nil for as soon as can be. An instant that is too early becomes that.
  ///   - body: makes the change: of the clock, of the sources, and with events of the instant.
  /// - Throws: what the body throws, or a sink that is gone.
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

  /// Starts the clock: `tick` sounds at `time`, or as soon as can be where that is past.
  ///
  /// Behind a master nothing happens: the master starts it.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit; what a sink throws when it is gone.
  public func start(from tick: Tick, at time: ReferenceTime? = nil) throws {
    guard lane.master == nil else { return }
    let now = try halt(at: nil)
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.start(from: tick, at: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route()
  }

  /// Starts the clock where it stands, fractions of a tick included.
  ///
  /// Behind a master it goes on where the master is, if that moves.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit; what a sink throws when it is gone.
  public func start(at time: ReferenceTime? = nil) throws {
    guard !lane.isRunning else { return }
    guard lane.master == nil else { return try join() }
    let now = try takeBack(at: nil).time
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.start(at: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route()
  }

  /// Stops the clock, and ends everything that is left sounding.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func stop(at time: ReferenceTime? = nil) throws {
    _ = try halt(at: time)
  }

  /// Goes to a tick, running or not; what sounds is released, and rings out.
  ///
  /// Behind a master nothing happens: it is where the master is.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func locate(to tick: Tick, at time: ReferenceTime? = nil) throws {
    try locate(toTicks: Ratio(tick.value), at: time)
  }

  /// Goes to a place between ticks, running or not; what sounds is released, and rings out.
  ///
  /// While others count its clocks it goes there at the next clock that they can be told of
  /// beforehand, 12 ms and up to a clock later: their beat goes on without a gap.
  ///
  /// Behind a master nothing happens: it is where the master is.
  ///
  /// - Throws: `TimeError.overflow` past 64 bits of ticks; what a sink throws when it is gone.
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

  /// Changes how fast the music runs.
  ///
  /// - Throws: `TimeError` for a rate outside 0…32; what a sink throws when it is gone.
  public func setPlayRate(_ rate: Ratio, at time: ReferenceTime? = nil) throws {
    try interrupt(at: time) { position, clock, _ in
      try clock.setPlayRate(rate, at: position.time)
    }
  }

  /// Changes where events go.
  ///
  /// Where a route is added or taken away all that sounds is released, on the other routes too.
  /// Where only filters or transforms change, notes that sound keep the way they took.
  ///
  /// - Throws: what a sink throws when it is gone.
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

  /// Stops the clock, takes back what is due from an instant on and ends everything that sounds.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func silence(at time: ReferenceTime? = nil) throws {
    try stopClock(at: time)
    try router.silence(at: lane.end)
    try tellStop()
  }

  /// Stops a clock that others follow, or that leads its master, and tells them; what sounds rings
  /// out.
  ///
  /// - Throws: what a sink throws when it is gone.
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

  /// Stops a clock that runs and ends what sounds; returns the instant.
  private func halt(at time: ReferenceTime?) throws -> ReferenceTime {
    let position = try takeBack(at: time)
    guard lane.isRunning else { return position.time }
    lane.stopClock(at: position.time)
    try router.release(at: position.time, cuttingSound: true)
    lane.move(to: position, by: .stop)
    try route()
    return position.time
  }

  /// Between a command's own events and what may be taken back, in nanoseconds: more than a frame,
  /// by which instruments tell events apart.
  private static var commandSpacing: Int64 { 1_000_000 }

  private func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime {
    lane.generators.reduce(time) { $1.earliestCommand(atOrAfter: $0) }
  }

  /// Takes back what was sent from an instant on, and stands there.
  ///
  /// What the last command sent for its own instant stays, even where the position has not moved
  /// since: what comes after it is taken back from a little later on.
  ///
  /// - Parameters:
  ///   - time: The instant; nil for as soon as can be.
  ///   - before: Where the lane stood there, where its master has been moved since; nil asks it.
  /// - Returns: Where the lane stands, at the instant that it has become.
  /// - Throws: What a sink throws when it is gone.
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
      // A sink has let go of more than the position said: what it has, all shall have.
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
