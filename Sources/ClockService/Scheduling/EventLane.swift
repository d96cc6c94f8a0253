// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A clock with the sources that run on it, such as a song, a clock generator or a metronome.
///
/// - Note: Owned by the event thread, or by the thread that drives the scheduler offline.
public final class EventLane {
  /// The clock of the lane.
  public internal(set) var clock: MusicClock {
    _read { yield own.clock }
    _modify { yield &own.clock }
  }
  /// The event sources of the lane.
  public let sources: [any EventSource]
  /// The generators that send clocks to other machines, before the notes of sources; none by
  /// default.
  ///
  /// Their events have separate tracks (`MIDIClockGenerator.track`), which can have separate
  /// routes.
  public var generators: [any ClockGenerator] = []
  /// The master that drives the lane in place of its clock; nil for none.
  ///
  /// Start, stop and position are then those of the master.
  public var master: ExternalClock? {
    didSet { master?.reference = reference }
  }
  /// The input for the master's messages.
  public var masterInput: (any EventInput)?
  /// Called on the event thread for events of the clock and of its master.
  public var onEvent: ((ClockEvent) -> Void)?
  /// The least time ahead of the position for which events are emitted, whatever the master does.
  ///
  /// It is needed for an output that renders a period at a time; 0 by default.
  public var leastHorizon = Duration.zero
  /// True if generators were notified of the start with the master's next clock.
  var isStartAnnounced = false
  /// The number of moves, starts and stops of the transport.
  public private(set) var moves: UInt32 = 0
  /// The time ahead of the position for which events are emitted; 20 ms by default.
  public var horizon = EventThread.horizon
  /// The end of the last window.
  public internal(set) var end: ReferenceTime
  /// True if sources are finished, sinks have received all events, and none is held back.
  public internal(set) var isFinished = false
  /// True once a window was emitted.
  private(set) var hasBegun = false
  /// The time of the last emitted event, without clocks, which never end.
  public internal(set) var lastTime = ReferenceTime.zero

  let own: OwnClock
  /// The relation of the lane's time to host time, in which a master is followed.
  let reference: ReferenceClock
  /// The maps that were last published to other processes.
  var describedMaps: MusicClock.Maps
  /// The instant of the last command, before which events cannot be cancelled.
  var floor = ReferenceTime(nanoseconds: .min)
  var buffer = EventBuffer()

  init(
    clock: MusicClock, sources: [any EventSource], start: ReferenceTime, reference: ReferenceClock
  ) {
    own = OwnClock(clock)
    describedMaps = clock.mapsInForce
    self.sources = sources
    end = start
    self.reference = reference
  }

  /// True if sources will not emit any further events.
  ///
  /// If a loop jumps back exactly at the end of the last window, its next pass remains.
  var isExhausted: Bool {
    guard isRunning, !driver.willLoop(after: end), sources.allSatisfy(\.isFinished) else {
      return false
    }
    return driver.loopEnd(at: end, pass: driver.position(at: end).pass) == nil
  }

  /// Returns the first instant at or after `time` that continues the beat of the clocks that were
  /// sent while the lane was stopped, or `time` if no clocks were sent.
  public func nextBeat(atOrAfter time: ReferenceTime) -> ReferenceTime {
    let generators = generators.lazy.compactMap { $0 as? MIDIClockGenerator }
    return generators.first?.nextStandingClock(atOrAfter: time) ?? time
  }

  /// Emits everything due before an instant into the buffer.
  func emit(to limit: ReferenceTime) {
    hasBegun = true
    var standing = end
    // Read in advance, because a master cannot be read while it provides its segments.
    let followed = master == nil || generators.isEmpty ? nil : nanosecondsPerQuarter
    driver.forEachPiece(of: end..<limit) { piece in
      emitStanding(standing..<piece.window.lowerBound, nanosecondsPerQuarter: followed)
      if let loopEnd = piece.loopedFrom { move(to: piece.position, by: .loop(from: loopEnd)) }
      prepareLoop(in: piece.window)
      for generator in generators {
        generator.emit(piece.window, along: piece.timeline, into: &buffer)
      }
      for source in sources {
        source.emit(piece.window, along: piece.timeline, into: &buffer)
      }
      standing = piece.window.upperBound
    }
    emitStanding(standing..<limit, nanosecondsPerQuarter: followed)
    if sources.count > 1 || !generators.isEmpty { buffer.sortByTime() }
    end = limit
  }

  /// Notifies sources, generators and observers of a move.
  func move(
    to position: TransportPosition, by move: TransportMove, because reason: StopReason = .command
  ) {
    moves &+= 1
    report(move, to: position, because: reason)
    if let fact = TimedEvent.Fact(move, to: position) { tell(fact, at: position.time) }
    announce(move, to: position)
    for source in sources { source.locate(to: position, by: move, into: &buffer) }
  }

  func tell(_ fact: TimedEvent.Fact, at time: ReferenceTime) {
    buffer.append(TimedEvent(time: time, payload: .fact(fact), track: TimedEvent.noTrack))
  }

  /// Returns the sources to a position, whose instant becomes the clock's anchor.
  ///
  /// If a loop jumps back at just that instant, the jump is repeated.
  func stand(at position: TransportPosition) {
    if let end = driver.loopEnd(at: position.time, pass: position.pass) {
      var before = position
      before.tick = end
      before.pass -= 1
      rewind(to: before)
      move(to: position, by: .loop(from: end))
    } else {
      rewind(to: position)
    }
    clock.hold(at: position.time)
  }

  func rewind(to position: TransportPosition) {
    for source in sources { source.rewind(to: position) }
  }

  func settle(before time: ReferenceTime) {
    guard isRunning else { return }
    let position = position(at: time)
    for source in sources { source.settle(before: position) }
  }
}

extension TimedEvent.Fact {
  /// The fact that records a move.
  fileprivate init?(_ move: TransportMove, to position: TransportPosition) {
    switch move {
    case .start: self = .started(position.tick)
    case .stop: self = .stopped(position.tick)
    case .locate: self = .located(position.tick)
    case .loop: self = .looped(pass: Int32(clamping: position.pass), to: position.tick)
    case .skip: return nil
    }
  }
}

extension TimedEvent {
  /// True for an event of a clock generator, which continues after the music has ended.
  var isClock: Bool { track == MIDIClockGenerator.track || track == MTCGenerator.track }
}
