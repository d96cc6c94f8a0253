// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One clock and the sources that run on it: a song, a clock generator, a metronome of its own.
///
/// A command to a lane never takes back what another has sent.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public final class EventLane {
  /// The lane's number, as events and routes name it.
  public let number: UInt8
  /// The clock.
  public internal(set) var clock: MusicClock
  /// What runs on it.
  public let sources: [any EventSource]
  /// How far ahead of the position events are emitted, in nanoseconds.
  public var horizon: Int64
  /// Where the last window ended.
  public internal(set) var end: HostTime
  /// Whether every source has emitted all it had, every sink has taken it, and nothing is held.
  public internal(set) var isFinished = false

  /// The last command's instant: nothing before it can be taken back.
  var floor = HostTime(nanoseconds: .min)
  var lastTime = HostTime.zero
  var buffer = EventBuffer()

  init(
    number: UInt8, clock: MusicClock, sources: [any EventSource], horizon: Int64, start: HostTime
  ) {
    self.number = number
    self.clock = clock
    self.sources = sources
    self.horizon = horizon
    end = start
  }

  /// Whether nothing is owed any more, however far time goes.
  var isExhausted: Bool {
    clock.isRunning && !clock.willLoop(after: end) && sources.allSatisfy(\.isFinished)
  }

  /// Fills the buffer with everything due before an instant.
  func emit(to limit: HostTime) {
    clock.forEachPiece(of: end..<limit) { piece in
      if let loopEnd = piece.loopedFrom { move(to: piece.position, by: .loop(from: loopEnd)) }
      for source in sources {
        source.emit(piece.window, along: piece.timeline, into: &buffer)
      }
    }
    if sources.count > 1 { buffer.sortByTime() }
    end = limit
    lastTime = buffer.events.last?.time ?? lastTime
  }

  /// Tells the sources of a move, and whoever observes the lane.
  func move(to position: TransportPosition, by move: TransportMove) {
    if let fact = TimedEvent.Fact(move, to: position) { tell(fact, at: position.time) }
    for source in sources { source.locate(to: position, by: move, into: &buffer) }
  }

  func tell(_ fact: TimedEvent.Fact, at time: HostTime) {
    buffer.append(
      TimedEvent(time: time, payload: .fact(fact), track: TimedEvent.noTrack, lane: number))
  }

  /// Takes the sources back to where the clock stands at an instant, and hangs the clock there.
  ///
  /// Where a loop goes back at just that instant, it does so first.
  func stand(at position: TransportPosition) {
    if let end = clock.loopEnd(at: position.time, pass: position.pass) {
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

  func settle(before time: HostTime) {
    guard clock.isRunning else { return }
    let position = clock.position(at: time)
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
