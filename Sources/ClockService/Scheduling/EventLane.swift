// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A clock together with the event sources that run on it, such as a song, a clock generator or a
/// metronome.
///
/// - Note: Owned by the event thread, or by the thread that drives the scheduler offline.
public final class EventLane {
  /// The clock that drives the sources unless the lane has a master.
  public internal(set) var clock: MusicClock {
    _read { yield own.clock }
    _modify { yield &own.clock }
  }
  /// The event sources of the lane.
  public let sources: [any EventSource]
  /// The generators of MIDI clock and time code for other machines; none by default.
  ///
  /// At each instant, their events are sent before those of the sources. These events have separate
  /// track numbers (`MIDIClockGenerator.track`), so they can have separate routes.
  public var generators: [any ClockGenerator] = []
  /// The master that drives the lane in place of its clock; nil for none.
  ///
  /// The master then determines start, stop and position.
  public var master: ExternalClock? {
    didSet { master?.reference = reference }
  }
  /// The input that receives the master's messages; nil without a master, or if it does not send
  /// MIDI.
  public var masterInput: (any EventInput)?
  /// Called on the event thread with each event of the clock or its master; nil for none.
  public var onEvent: ((ClockEvent) -> Void)?
  /// The minimum time ahead of the position for which events are emitted, even if the master allows
  /// less; 0 by default.
  ///
  /// Outputs that render a whole period at a time need it.
  public var leastHorizon = Duration.zero
  /// True if generators were notified of the start with the master's next clock.
  var isStartAnnounced = false
  /// The number of moves, starts and stops of the lane.
  public private(set) var moves: UInt32 = 0
  /// The time ahead of the position for which events are emitted; 20 ms by default.
  public var horizon = EventThread.horizon
  /// The end of the last window for which events were emitted.
  public internal(set) var end: ReferenceTime
  /// True if all sources have ended, and sinks have received all of their events.
  public internal(set) var isFinished = false
  /// True once a window was emitted.
  private(set) var hasBegun = false
  /// The time of the last emitted event, ignoring MIDI clock and time code, which continue after
  /// the music has ended.
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

  /// Returns the first instant at or after `time` at which a start continues the beat of the MIDI
  /// clocks that were sent while the lane was stopped, or `time` if none were sent.
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
