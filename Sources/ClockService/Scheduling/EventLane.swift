// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One clock and the sources that run on it: a song, a clock generator, a metronome of its own.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public final class EventLane {
  /// The clock.
  public internal(set) var clock: MusicClock {
    _read { yield own.clock }
    _modify { yield &own.clock }
  }
  /// What runs on it.
  public let sources: [any EventSource]
  /// What sends clocks to other machines; these go out before the sources' notes; none by default.
  ///
  /// They come from tracks of their own (`MIDIClockGenerator.track`), which can have routes of their
  /// own.
  public var generators: [any ClockGenerator] = []
  /// The master that drives the lane in the place of its own clock; nil for none.
  ///
  /// Start, stop and position are then the master's; the lane's own clock is not asked.
  public var master: ExternalClock? {
    didSet { master?.reference = reference }
  }
  /// What brings the master's messages.
  public var masterInput: (any EventInput)?
  /// Told, on the event thread, of what happens to the clock and what its master does.
  public var onEvent: ((ClockEvent) -> Void)?
  /// How far ahead of the position events are emitted whatever the master says:
  /// for an output that renders a period at a time; 0 where time is the host's; 0 by default.
  public var leastHorizon = Duration.zero
  /// Whether those who follow were told already of the start that the master's next clock is.
  var isStartAnnounced = false
  /// How often the transport was moved, started or stopped.
  public private(set) var moves: UInt32 = 0
  /// How far ahead of the position events are emitted; 20 ms by default.
  public var horizon = EventThread.horizon
  /// Where the last window ended.
  public internal(set) var end: ReferenceTime
  /// Whether every source has emitted all it had, every sink has taken it, and nothing is held.
  public internal(set) var isFinished = false
  /// Whether anything was emitted, or could have been.
  private(set) var hasBegun = false
  /// When the last event that was emitted is due; clocks, which go on for ever, do not count.
  public internal(set) var lastTime = ReferenceTime.zero

  let own: OwnClock
  /// Where the lane's time lies on the host's clock, in which a master is heard.
  let reference: ReferenceClock
  /// The maps that other processes were told of last.
  var describedMaps: MusicClock.Maps
  /// The last command's instant: nothing before it can be taken back.
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

  /// Whether nothing is owed any more, however far time goes.
  ///
  /// If a loop goes back exactly where the last window ended, its next pass is still owed.
  var isExhausted: Bool {
    guard isRunning, !driver.willLoop(after: end), sources.allSatisfy(\.isFinished) else {
      return false
    }
    return driver.loopEnd(at: end, pass: driver.position(at: end).pass) == nil
  }

  /// The first instant from an instant on that lies on the beat which followers have heard while
  /// the lane stood; that instant itself where they have heard none.
  public func nextBeat(atOrAfter time: ReferenceTime) -> ReferenceTime {
    let generators = generators.lazy.compactMap { $0 as? MIDIClockGenerator }
    return generators.first?.nextStandingClock(atOrAfter: time) ?? time
  }

  /// Fills the buffer with everything due before an instant.
  func emit(to limit: ReferenceTime) {
    hasBegun = true
    var standing = end
    // Asked beforehand: while a master hands out its pieces, it answers nothing else.
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

  /// Tells the sources of a move, and whoever observes the lane.
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

  /// Takes the sources back to where the clock is at an instant, which becomes the clock's anchor.
  ///
  /// Where a loop goes back at just that instant, it does so first.
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
  /// What is told of a move.
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
  /// Whether it is of a generator: a clock, which goes on after the music has ended.
  var isClock: Bool { track == MIDIClockGenerator.track || track == MTCGenerator.track }
}
