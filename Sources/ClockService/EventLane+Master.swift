// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

extension EventLane {
  /// Whether the lane's clock runs, or its master's.
  public var isRunning: Bool { master?.isRunning ?? clock.isRunning }

  /// How long before its start a clock that others follow must be known, in nanoseconds.
  var announcementLead: Int64 { generators.isEmpty ? 0 : 12_000_000 }

  /// Where the lane stands at an instant.
  public func position(at time: HostTime) -> TransportPosition {
    guard let master else { return clock.position(at: time) }
    guard master.isRunning, let line = master.timeline(at: time) else {
      return TransportPosition(time: time, tick: master.standing, unwrapped: master.standing)
    }
    let tick = Tick(line.firstCount(atOrAfter: time))
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// Stops the lane's clock; a master stops itself.
  func stopClock(at time: HostTime) {
    clock.stop(at: time)
    guard master?.isRunning == true else { return }
    master?.standing = position(at: time).tick
    master?.isRunning = false
  }

  /// Up to when events are emitted, seen from a position.
  ///
  /// Following a master nothing goes out past its last clock and one more: one that stops must be
  /// able to stop us.
  func limit(at position: HostTime) -> HostTime {
    let ahead = position.advanced(saturating: horizon)
    guard let master else { return ahead }
    guard master.isRunning else { return generators.isEmpty ? position : ahead }
    let least = position.advanced(saturating: leastHorizon)
    return min(ahead, max(master.releaseLimit(at: position) ?? position, least))
  }

  func forEachPiece(of window: HostWindow, _ body: (ClockPiece) -> Void) {
    guard var master else { return clock.forEachPiece(of: window, body) }
    guard master.isRunning else { return }
    master.forEachPiece(of: window) { part, line in
      let tick = Tick(line.firstCount(atOrAfter: part.lowerBound))
      body(
        ClockPiece(
          window: part, timeline: line,
          position: TransportPosition(time: part.lowerBound, tick: tick, unwrapped: tick),
          loopedFrom: nil))
    }
    self.master = master
  }

  func emitStanding(_ window: HostWindow) {
    guard !window.isEmpty else { return }
    for generator in generators {
      generator.emitStanding(
        window, nanosecondsPerQuarter: nanosecondsPerQuarter, into: &buffer)
    }
  }

  /// How long a quarter note is where the lane stands.
  private var nanosecondsPerQuarter: Ratio {
    if case .midiClock(let follower)? = master?.source, let estimate = follower.estimate {
      return Ratio(Int64(estimate.period * 24))
    }
    let tempo = clock.tempoMap.tempo(at: position(at: end).tick)
    let written = Ratio(Int64(tempo.tenNanosecondsPerQuarter) * 10)
    do {
      return try written / clock.playRate
    } catch {
      // A play rate whose fraction does not fit: as written.
      return written
    }
  }

  /// Tells generators of a move.
  func announce(_ move: TransportMove, to position: TransportPosition) {
    for generator in generators {
      switch move {
      // What a master starts was announced when it was armed.
      case .start where master != nil: break
      case .start: generator.prepareStart(at: position.tick, time: position.time)
      case .stop: generator.stop(at: position.time)
      case .locate, .loop, .skip:
        generator.locate(to: position.tick)
        if isRunning { generator.prepareStart(at: position.tick, time: position.time) }
      }
    }
  }
}

extension EventScheduler {
  /// Takes what a lane's master has sent, and lets its time pass.
  ///
  /// - Throws: what the input or a sink throws when it is gone.
  func follow(_ lane: EventLane, at now: HostTime) throws {
    guard lane.master != nil else { return }
    received.removeAll()
    try lane.masterInput?.drain(into: &received)
    for var event in received.events {
      event.time = receivedTime(event.time)
      // Where the lane stands before the master moves it.
      let before = lane.position(at: max(now, lane.floor))
      guard let events = lane.master?.take(event, payloads: received.payloads.span) else {
        continue
      }
      try obey(events, lane, before, at: now)
    }
    let before = lane.position(at: max(now, lane.floor))
    guard let events = lane.master?.advance(to: now) else { return }
    try obey(events, lane, before, at: now)
  }

  private func obey(
    _ events: FollowerEvents, _ lane: EventLane, _ before: TransportPosition, at now: HostTime
  ) throws {
    for event in events {
      try obey(event, lane, before, at: now)
      lane.onMasterEvent?(event)
    }
  }

  private func obey(
    _ event: FollowerEvent, _ lane: EventLane, _ before: TransportPosition, at now: HostTime
  ) throws {
    guard let master = lane.master else { return }
    switch event {
    case .located(let place) where master.isArmed && !master.isRunning:
      try move(lane, to: master.tick(of: place), by: .locate, before, at: now)
    case .armed where master.isArmed && !master.isRunning:
      for generator in lane.generators { generator.prepareStart(at: master.standing, time: nil) }
    case .started(let place, _) where master.isArmed && !master.isRunning:
      try move(lane, to: master.tick(of: place), by: .start, before, at: now)
    case .stopped(_, let place) where master.isRunning:
      try move(lane, to: master.tick(of: place), by: .stop, before, at: now)
    case .jumped(let place) where master.isRunning:
      try move(lane, to: master.tick(of: place), by: .locate, before, at: now)
    default:
      break
    }
  }

  /// Takes back what was sent for later, releases what sounds, and moves the lane.
  private func move(
    _ lane: EventLane, to tick: Tick, by move: TransportMove, _ before: TransportPosition,
    at now: HostTime
  ) throws {
    try takeBack(lane, at: now, standingAt: before)
    let time = lane.end
    if move != .start {
      try router.release(lane: lane.number, at: time, cuttingSound: move == .stop)
    }
    lane.master?.standing = tick
    if move != .locate { lane.master?.isRunning = move == .start }
    lane.move(to: TransportPosition(time: time, tick: tick, unwrapped: tick), by: move)
    try route(lane)
  }
}
