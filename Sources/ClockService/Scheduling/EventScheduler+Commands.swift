// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Changes something at an instant: what a lane has sent for later is taken back, and emitted
  /// anew after the change.
  ///
  /// - Parameters:
  ///   - number: the lane.
  ///   - time: when; nil for as soon as can be. An instant that is too early becomes that.
  ///   - body: makes the change: of the clock, of the sources, and with events of the instant.
  /// - Throws: what the body throws, or a sink that is gone.
  public func interrupt(
    lane number: UInt8 = 0, at time: ReferenceTime? = nil,
    _ body: (TransportPosition, inout MusicClock, inout EventBuffer) throws -> Void
  ) throws {
    let lane = lanes[Int(number)]
    let position = try takeBack(lane, at: time)
    let old = lane.clock
    try body(position, &lane.clock, &lane.buffer)
    lane.reportChanges(since: old)
    try route(lane)
  }

  /// Starts a lane's clock: `tick` sounds at `time`, or as soon as can be where that is past.
  ///
  /// A lane with a master starts with that, and stays where it is.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit; what a sink throws when it is gone.
  public func start(at tick: Tick, time: ReferenceTime? = nil, lane number: UInt8 = 0) throws {
    let lane = lanes[Int(number)]
    guard lane.master == nil else { return }
    let now = try halt(lane, at: nil)
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.start(at: tick, time: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route(lane)
  }

  /// Starts a lane's clock where it stands, fractions of a tick included.
  ///
  /// A lane with a master goes on where that is, if it moves.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit; what a sink throws when it is gone.
  public func resume(at time: ReferenceTime? = nil, lane number: UInt8 = 0) throws {
    let lane = lanes[Int(number)]
    guard !lane.isRunning else { return }
    guard lane.master == nil else { return try join(lane) }
    let now = try takeBack(lane, at: nil).time
    let start = max(time ?? now, now.advanced(saturating: lane.announcementLead))
    try lane.clock.resume(at: start)
    lane.move(to: lane.position(at: start), by: .start)
    try route(lane)
  }

  /// Stops a lane's clock, and ends everything that its events left sounding.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func stop(at time: ReferenceTime? = nil, lane number: UInt8 = 0) throws {
    _ = try halt(lanes[Int(number)], at: time)
  }

  /// Moves a lane to a tick, running or not; what sounds is released, and rings out.
  ///
  /// A lane with a master is where that is, and stays there.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func locate(to tick: Tick, at time: ReferenceTime? = nil, lane number: UInt8 = 0) throws {
    try locate(toTicks: Ratio(tick.value), at: time, lane: number)
  }

  /// Moves a lane to a place between ticks, running or not; what sounds is released, and rings
  /// out.
  ///
  /// While others count its clocks it goes there at the next of them that they can be told of
  /// beforehand, 12 ms and up to a clock later: their beat goes on without a gap.
  ///
  /// A lane with a master is where that is, and stays there.
  ///
  /// - Throws: `TimeError.overflow` past 64 bits of ticks; what a sink throws when it is gone.
  public func locate(
    toTicks ticks: Ratio, at time: ReferenceTime? = nil, lane number: UInt8 = 0
  ) throws {
    let lane = lanes[Int(number)]
    guard lane.master == nil else { return }
    var now = try takeBack(lane, at: time).time
    if let later = try lane.prepareLocate(toTicks: ticks, from: now) {
      now = try takeBack(lane, at: later).time
    }
    try router.release(lane: number, at: now)
    try lane.clock.locate(toTicks: ticks, at: now)
    lane.move(to: lane.position(at: now), by: .locate)
    try route(lane)
  }

  /// Changes how fast a lane's music runs.
  ///
  /// - Throws: `TimeError` for a rate outside 0…32; what a sink throws when it is gone.
  public func setPlayRate(
    _ rate: Ratio, at time: ReferenceTime? = nil, lane number: UInt8 = 0
  ) throws {
    try interrupt(lane: number, at: time) { position, clock, _ in
      try clock.setPlayRate(rate, at: position.time)
    }
  }

  /// Changes the part of a lane's music that is played over and over; nil plays on.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func setLoop(
    _ loop: LoopRange?, at time: ReferenceTime? = nil, lane number: UInt8 = 0
  ) throws {
    try interrupt(lane: number, at: time) { position, clock, _ in
      clock.setLoop(loop, at: position.time)
    }
  }

  /// Changes where a lane's events go.
  ///
  /// What sounds by a route that is no longer there is released; so, for simplicity, is what
  /// sounds by the others where a route is added or taken away.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func setRoutes(
    _ routes: [Route], at time: ReferenceTime? = nil, lane number: UInt8 = 0
  ) throws {
    let old = router.routes.filter { $0.lane == number }
    let keepsWays =
      old.count == routes.count
      && routes.allSatisfy { route in
        old.contains { $0.track == route.track && $0.destination == route.destination }
      }
    let now = try takeBack(lanes[Int(number)], at: time).time
    if !keepsWays { try router.release(lane: number, at: now) }
    router.setRoutes(routes, lane: number)
  }

  /// Stops every clock, takes back what is due from an instant on and ends everything that
  /// sounds.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func silence(at time: ReferenceTime? = nil) throws {
    for lane in lanes { try stopClock(of: lane, at: time) }
    let end = lanes.reduce(.zero) { max($0, $1.end) }
    try router.silence(at: end)
    for lane in lanes { try tellStop(of: lane, at: end) }
  }

  /// Stops the clocks that others follow, and tells them; what rings out is left to.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func conclude() throws {
    for lane in lanes where !lane.generators.isEmpty {
      try stopClock(of: lane, at: nil)
      try tellStop(of: lane, at: lane.end)
    }
  }

  private func stopClock(of lane: EventLane, at time: ReferenceTime?) throws {
    let position = try takeBack(lane, at: time)
    guard lane.isRunning else { return lane.stopClock(at: position.time) }
    lane.stopClock(at: position.time)
    lane.announce(.stop, to: position)
    lane.report(.stop, to: position, because: .command)
  }

  private func tellStop(of lane: EventLane, at time: ReferenceTime) throws {
    guard !lane.generators.isEmpty else { return }
    lane.emitStanding(
      time..<time.advanced(byNanoseconds: 1), nanosecondsPerQuarter: lane.nanosecondsPerQuarter)
    try route(lane)
  }

  /// Stops a clock that runs and ends what sounds; returns the instant.
  private func halt(_ lane: EventLane, at time: ReferenceTime?) throws -> ReferenceTime {
    let position = try takeBack(lane, at: time)
    guard lane.isRunning else { return position.time }
    lane.stopClock(at: position.time)
    try router.release(lane: lane.number, at: position.time, cuttingSound: true)
    lane.move(to: position, by: .stop)
    try route(lane)
    return position.time
  }

  /// Between a command's own events and what may be taken back, in nanoseconds: more than a frame,
  /// by which instruments tell events apart.
  private static var commandSpacing: Int64 { 1_000_000 }

  /// Takes back what a lane has sent from an instant on, and stands there.
  ///
  /// What the last command sent for its own instant stays, even where the position has not moved
  /// since: what comes after it is taken back from a little later on. `before` is where it stood, if what it stood on has been moved since.
  @discardableResult
  func takeBack(
    _ lane: EventLane, at time: ReferenceTime?, standingAt before: TransportPosition? = nil
  ) throws -> TransportPosition {
    let hasMovedOn = lane.end > lane.floor
    let kept = hasMovedOn ? lane.floor.advanced(saturating: Self.commandSpacing) : lane.floor
    let first = max(heard, kept)
    let now = lane.generators.reduce(max(time ?? earliest ?? lane.end, first)) {
      $1.earliestCommand(atOrAfter: $0)
    }
    if lane.isRunning || lane.hasBegun, now > lane.end { try emit(lane, to: now) }
    if now < lane.end { router.cancel(lane: lane.number, from: now) }
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
