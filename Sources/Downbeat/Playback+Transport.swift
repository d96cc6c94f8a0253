// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
internal import MusicSequences
public import MusicalTime
internal import Realtime

extension Playback {
  /// Starts where the playback stands, or behind a master where that is: at a future host time, or
  /// as soon as can be.
  public func start(at host: HostTime? = nil) { transport.start(at: host) }

  /// Stops the music where it is; `start` goes on from there.
  public func stop() { transport.stop() }

  /// Goes to a tick, playing or not.
  ///
  /// - Throws: `ClockError.follows` behind a master.
  public func locate(to tick: Tick) throws(ClockError) { try transport.locate(to: tick) }

  /// Goes to a position, between two ticks too, playing or not.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  public func locate(to position: TimePosition) throws(ClockError) {
    try transport.locate(to: position)
  }

  /// Goes to a time in any format: `33|1`, `00:01:00:00`, `1:30`, `50%`, `@marker`.
  ///
  /// - Throws: `TimeError` where the text has no meaning in the sequence; `ClockError.follows`
  ///   behind a master.
  public func locate(to text: String) throws {
    let context = try sequence.timeContext()
    try locate(to: context.firstTick(of: context.position(of: TimeExpression(text))))
  }

  /// Changes how fast the music runs: 2 is twice as fast as written.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a rate outside 0…32,
  ///   zero not included.
  public func setPlayRate(_ rate: Ratio) throws(ClockError) { try transport.setPlayRate(rate) }

  /// Sets the tempo by hand until the music stops; nil gives it back to the sequence.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.stands` where the music stands;
  ///   `ClockError.time` for a play rate that does not fit beside it.
  public func setTempo(_ tempo: Tempo?) throws(ClockError) { try transport.setTempo(tempo) }

  /// Changes the part that is played over and over; nil plays on.
  ///
  /// - Throws: `ClockError.time` where the change does not fit.
  public func setLoop(_ loop: LoopRange?) throws(ClockError) { try transport.setLoop(loop) }

  /// Lets the master start the music and set its position; without one nothing happens.
  public func arm() { transport.arm() }

  /// Lets the master no longer start the music; where it plays it plays on until the master stops.
  public func disarm() { transport.disarm() }

  /// Puts a master in the place of the music's own time, or with nil that in the place of the
  /// master.
  ///
  /// - Throws: `ClockError.runs` where the music plays.
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) {
    try transport.follow(source, input: input)
  }
}

extension Playback {
  /// Which of two moments is meant: that at which events are sent, or that at which they sound.
  public typealias Moment = TimeBase.Moment

  /// Where the music is, how it runs, and what is known of its master.
  ///
  /// - Note: never waits for the event thread.
  public var snapshot: ClockSnapshot { transport.snapshot }

  /// Where the music stands now.
  public func position(_ moment: Moment = .audible) -> TransportPosition {
    snapshot.position(at: MonotonicClock.now, moment)
  }

  /// The next host time at which a tick sounds; nil where the music stands or never comes there, and
  /// before the output runs.
  public func hostTime(of tick: Tick, _ moment: Moment = .audible) -> HostTime? {
    snapshot.time(of: tick, from: MonotonicClock.now, moment)
  }

  /// Whether the music runs.
  public var isRunning: Bool { snapshot.isRunning }

  /// Where the output's frames stand in host time, by its device's own pace; nil without an output,
  /// and before its first period.
  ///
  /// - Note: any thread.
  public var outputClock: SampleClock? { snapshot.device }

  /// Everything that happens from now on until it ends, each told of when it is heard.
  public var happenings: AsyncStream<PlaybackEvent> { notifier.observers.stream }

  /// Calls a closure with everything that happens, when it is heard, on the notifier's thread.
  ///
  /// - Returns: What `forget` takes.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (PlaybackEvent) -> Void) -> Int {
    notifier.observers.add(body)
  }

  /// Calls a closure with each user event when it is heard: track, bytes, tick.
  ///
  /// - Returns: What `forget` takes.
  @discardableResult
  public func observeUserEvents(_ body: @escaping @Sendable (Int, [UInt8], Tick) -> Void) -> Int {
    observe { event in
      guard case .event(let told, let track?, let tick) = event.kind,
        case .user(let bytes) = told.content
      else { return }
      body(track, bytes, tick)
    }
  }

  /// Ends what `observe` or `observeUserEvents` began.
  public func forget(_ observer: Int) { notifier.observers.remove(observer) }
}
