// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// A scheduler on a thread of its own whose sinks are ports: reference time is host time.
final class ClockEngine {
  /// How far ahead a start lies, in nanoseconds: followers are told before.
  static let lead: Int64 = 100_000_000
  /// How long the last messages have to leave, in nanoseconds.
  private static let drainTime: Int64 = 200_000_000

  private let thread: EventThread
  private let port: OutputPort?
  private var keeper: PortKeeper?

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - scheduler: what is driven; from here on it is the thread's.
  ///   - port: the port that is emptied at the end.
  ///   - keeper: what connects ports again that went away.
  ///   - publisher: where the clock of lane 0 is served.
  ///   - state: what it serves at first.
  /// - Throws: where the thread cannot be started.
  init(
    _ scheduler: EventScheduler, port: OutputPort? = nil, keeper: PortKeeper? = nil,
    publisher: SharedClockPublisher? = nil, state: SharedClockState? = nil
  ) throws {
    self.port = port
    self.keeper = keeper
    // Given away here: nobody else steps it.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) var published = state
    let now: @Sendable () -> HostTime = { HostTime(nanoseconds: DeadlineWait.now) }
    if let publisher {
      // The thread is the one that publishes, and the only one that touches the state.
      thread = try unsafe EventThread(owned, position: now) { scheduler, time in
        guard var state = unsafe published else { return }
        scheduler.lanes[0].describe(in: &state, at: time)
        publisher.write(state)
        unsafe published = state
      }
    } else {
      thread = try unsafe EventThread(owned, position: now)
    }
  }

  func perform(_ command: @escaping EventThread.Command) { thread.perform(command) }

  /// Starts the clock far enough ahead for followers to be told, in the beat that they have heard.
  func start(at tick: Tick) {
    let earliest = HostTime(nanoseconds: DeadlineWait.now + Self.lead)
    perform { try $0.start(at: tick, time: $0.lanes[0].nextBeat(atOrAfter: earliest)) }
  }

  /// Runs until a signal, the end of a time that counts from the start, or the word `quit`; then
  /// stops the clock, and those who follow are told.
  ///
  /// - Parameters:
  ///   - wait: waits for signals.
  ///   - duration: the time; nil for no end.
  ///   - control: reads commands from standard input.
  /// - Returns: the number of the signal that was the end, if one was.
  /// - Throws: what ended the thread: a port that cannot be written to.
  func run(
    _ wait: SignalWait, for duration: Duration?, control: ClockControl? = nil
  ) throws -> Int32? {
    let deadline = duration.map { DeadlineWait.now + Self.lead + $0.nanoseconds } ?? .max
    let number = try waitOut(wait, until: deadline, control)
    thread.stop(silencing: true)
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.drainTime)
    _ = try port?.drain(until: limit)
    return number
  }

  private func waitOut(
    _ wait: SignalWait, until deadline: Int64, _ control: ClockControl?
  ) throws -> Int32? {
    var control = control
    while true {
      if let failure = thread.failure { throw failure }
      let descriptors = (control?.descriptors ?? []) + (keeper?.descriptors ?? [])
      switch wait.until(min(DeadlineWait.now + 50_000_000, deadline), readable: descriptors) {
      case .signal(let number): return number
      case .readable:
        try keeper?.update()
        if try control?.take(for: self) == false { return nil }
      case .deadline: if DeadlineWait.now >= deadline { return nil }
      }
    }
  }
}

extension EventScheduler {
  /// A scheduler of generators alone, handed to the kernel ahead: a change takes back what is
  /// there and is heard 5 ms later.
  ///
  /// - Parameters:
  ///   - generators: the generators.
  ///   - map: the map of their clock.
  ///   - sink: where their events go.
  ///   - milliseconds: by how much they go later, or earlier.
  ///   - playRate: how much faster than written time runs.
  /// - Returns: the scheduler, standing.
  static func sending(
    _ generators: [any ClockGenerator], of map: TempoMap, to sink: any EventSink,
    _ milliseconds: Double, playRate: Ratio = 1
  ) -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map, playRate: playRate), sources: [], router: Router(),
      start: HostTime(nanoseconds: DeadlineWait.now))
    let destination = scheduler.router.addDestination(sink, delay: Int64(milliseconds * 1e6))
    scheduler.router.addRoute(Route(to: destination))
    scheduler.lanes[0].generators = generators
    scheduler.lanes[0].horizon = EventThread.portHorizon
    return scheduler
  }
}
