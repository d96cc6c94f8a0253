// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Runs sources against clocks, window by window, and routes what they emit.
///
/// A step depends on its state and the window and on nothing else: no thread, no clock read. A
/// live output steps a horizon ahead of the position it has played; an offline renderer calls it
/// for each block; tests call it directly.
///
/// A command takes effect at an instant that has not been heard yet: what was sent for later is
/// taken back and emitted anew, so nothing is lost by it or played twice.
///
/// - Note: owned by the event thread, or by whoever drives it offline.
public final class EventScheduler {
  /// Where events go.
  public let router: Router
  /// The lanes, by number.
  public private(set) var lanes: [EventLane]
  /// How long after the position a command takes effect, in nanoseconds: 5 ms.
  ///
  /// What lies nearer has left already.
  public var lead: Int64 = 5_000_000
  /// Where its time lies on the host's clock: whoever drives it has it look at the output.
  public let reference: ReferenceClock

  private var inputs: [LiveInput] = []
  var received = HostEventBuffer()
  private var incoming = EventBuffer()
  /// The earliest instant at which a command takes effect; nil offline, where it is a lane's end.
  private var earliest: ReferenceTime?
  private(set) var heard = ReferenceTime(nanoseconds: .min)

  /// A window that ends so far before the position is too late to be caught up with: 50 ms.
  public static let lateLimit: Int64 = 50_000_000

  /// Creates a scheduler of one lane whose first window begins at `start`.
  public init(
    clock: MusicClock, sources: [any EventSource], router: Router, start: ReferenceTime = .zero,
    reference: ReferenceClock = ReferenceClock()
  ) {
    self.router = router
    self.reference = reference
    lanes = [
      EventLane(
        number: 0, clock: clock, sources: sources, horizon: 20_000_000, start: start,
        reference: reference)
    ]
  }

  /// Adds a lane, with a clock and commands of its own.
  ///
  /// - Parameters:
  ///   - clock: its clock.
  ///   - sources: what runs on it.
  ///   - horizon: how far ahead of the position its events are emitted, in nanoseconds.
  /// - Returns: its number, for routes and commands.
  public func addLane(
    clock: MusicClock, sources: [any EventSource], horizon: Int64 = 20_000_000
  ) -> UInt8 {
    let number = UInt8(lanes.count)
    lanes.append(
      EventLane(
        number: number, clock: clock, sources: sources, horizon: horizon, start: lanes[0].end,
        reference: reference))
    return number
  }

  /// The earliest instant at which a command takes effect.
  public var soonest: ReferenceTime { earliest ?? end }

  /// Where the last window of lane 0 ended.
  public var end: ReferenceTime { lanes[0].end }

  /// Whether every lane that runs has emitted all it had, and every sink has taken it.
  public var isFinished: Bool { lanes.contains(where: \.isFinished) && allIdle }

  /// Whether the position has passed the last event of every source, wherever it goes.
  func hasBeenHeard(at position: ReferenceTime) -> Bool {
    let passed = position.advanced(saturating: -router.longestDelay)
    return router.isDrained && lanes.allSatisfy { $0.lastTime < passed }
  }

  private var allIdle: Bool { lanes.allSatisfy { $0.isFinished || !$0.isRunning } }

  /// Emits and routes everything due up to `limit`, for an output without delay: what was routed
  /// counts as heard.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func step(to limit: ReferenceTime) throws {
    heard = max(heard, limit)
    router.settle(before: heard)
    try takeInput()
    for lane in lanes where limit > lane.end { try emit(lane, to: limit) }
  }

  /// Emits and routes everything due up to each lane's horizon past the position.
  ///
  /// A lane whose last window ended more than `lateLimit` before the position, as after a
  /// suspension, goes on from the position instead of hurrying after it.
  ///
  /// - Parameter position: the instant in reference time up to which all has been played.
  /// - Throws: what a sink throws when it is gone.
  public func step(at position: ReferenceTime) throws {
    look(at: position)
    try takeInput()
    for lane in lanes {
      try follow(lane, at: position)
      if lane.isRunning, position > lane.end.advanced(saturating: Self.lateLimit) {
        try skip(lane)
      }
      if !lane.isRunning {
        // Standing, there is no count to be kept: a beat that is past is left out. The first of
        // all is not sent so soon that it would be late.
        let least = lane.hasBegun ? position : position.advanced(saturating: lead)
        lane.end = max(lane.end, least)
      }
      let limit = lane.limit(at: position)
      if limit > lane.end { try emit(lane, to: limit) }
    }
    try router.flush()
  }

  /// Takes note of how far has been played, so that commands know when they can take effect.
  public func look(at position: ReferenceTime) {
    earliest = position.advanced(saturating: lead)
    guard position > heard else { return }
    heard = position
    router.settle(before: position)
    for lane in lanes { lane.settle(before: position) }
  }

  private func emit(_ lane: EventLane, to limit: ReferenceTime) throws {
    lane.emit(to: limit)
    try route(lane)
    if !lane.isFinished, lane.isExhausted, router.isDrained { try finish(lane) }
  }

  func route(_ lane: EventLane) throws {
    lane.lastTime = lane.buffer.events.last { !$0.isClock }?.time ?? lane.lastTime
    defer { lane.buffer.removeAll() }
    try router.send(lane.buffer, lane: lane.number)
  }

  /// A song may end with a key or a pedal held, and nobody else would let go.
  ///
  /// The instant is the last event's, whatever the window: a window cut in two gives the same.
  private func finish(_ lane: EventLane) throws {
    try router.release(lane: lane.number, at: lane.lastTime)
    lane.tell(.finished, at: lane.lastTime)
    try route(lane)
    lane.isFinished = router.isDrained
  }

  private func skip(_ lane: EventLane) throws {
    let time = earliest ?? lane.end
    let missed = time.nanoseconds - lane.end.nanoseconds
    lane.rewind(to: lane.position(at: lane.end))
    try router.release(lane: lane.number, at: time)
    lane.tell(.late(nanoseconds: missed), at: time)
    lane.move(to: lane.position(at: time), by: .skip)
    lane.end = time
    lane.floor = time
    try route(lane)
  }
}

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
    let now = max(time ?? earliest ?? lane.end, first)
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

extension EventScheduler {
  /// Something that brings received events, and what becomes of them.
  private struct LiveInput {
    let input: any EventInput
    let lane: UInt8
    let ingest: ((HostEvent) -> Bool)?
  }

  /// Adds an input, drained at each step; what it brings is routed live, as a lane's events.
  ///
  /// - Parameters:
  ///   - input: the input.
  ///   - lane: the lane whose routes its events take.
  ///   - ingest: looks at each event first, and says whether that was all: a clock message that
  ///     a follower takes is not passed on.
  public func addInput(
    _ input: any EventInput, lane: UInt8 = 0, ingest: ((HostEvent) -> Bool)? = nil
  ) {
    inputs.append(LiveInput(input: input, lane: lane, ingest: ingest))
  }

  /// The descriptors that become readable when an input has something.
  public var descriptors: [Int32] {
    inputs.flatMap(\.input.descriptors) + lanes.flatMap { $0.masterInput?.descriptors ?? [] }
  }

  private func takeInput() throws {
    for input in inputs {
      received.removeAll()
      try input.input.drain(into: &received)
      guard !received.isEmpty else { continue }
      incoming.removeAll()
      for event in received.events where input.ingest?(event) != true {
        let time = reference.base?.time(at: event.time, .scheduled) ?? soonest
        incoming.append(event.moved(to: time), payloads: received.payloads.span)
      }
      try router.send(incoming, lane: input.lane)
    }
  }
}
