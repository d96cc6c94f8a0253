// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

extension Playback {
  /// Starts where the playback stands, or behind a master where that is: at a future host time, or
  /// as soon as can be.
  @discardableResult
  public func start(at host: HostTime? = nil) -> CommandReceipt { transport.start(at: host) }

  /// Stops the music where it is, at a future host time or as soon as can be; `start` goes on from
  /// there.
  @discardableResult
  public func stop(at host: HostTime? = nil) -> CommandReceipt { transport.stop(at: host) }

  /// Goes to a tick, playing or not, at a future host time or as soon as can be.
  ///
  /// - Throws: `ClockError.follows` behind a master.
  @discardableResult
  public func locate(
    to tick: Tick, at host: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: tick, at: host)
  }

  /// Goes to a position, a fraction of a beat too, playing or not.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  @discardableResult
  public func locate(to position: TimePosition) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: position)
  }

  /// Goes to a time in any format: `33|1`, `00:01:00:00`, `1:30`, `50%`, `@marker`.
  ///
  /// - Throws: `TimeError` where the text has no meaning in the sequence; `ClockError.follows`
  ///   behind a master.
  @discardableResult
  public func locate(to text: String) throws -> CommandReceipt {
    let decoder = TextDecoder(guessingFrom: [sequence])
    let context = try sequence.timeContext { decoder.text($0.bytes) }
    return try locate(to: context.firstTick(of: context.position(of: TimeExpression(text))))
  }

  /// Changes how fast the music runs: 2 is twice as fast as written.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a rate outside 0…32,
  ///   zero not included.
  @discardableResult
  public func setPlayRate(_ rate: Ratio) throws(ClockError) -> CommandReceipt {
    try transport.setPlayRate(rate)
  }

  /// Sets the tempo by hand until the music stops; nil gives it back to the sequence.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.stands` where the music stands;
  ///   `ClockError.time` for a play rate that does not fit beside it.
  @discardableResult
  public func setTempo(_ tempo: Tempo?) throws(ClockError) -> CommandReceipt {
    try transport.setTempo(tempo)
  }

  /// Changes the part that is played over and over; nil plays on.
  ///
  /// - Throws: `ClockError.time` where the change does not fit.
  @discardableResult
  public func setLoop(_ loop: LoopRange?) throws(ClockError) -> CommandReceipt {
    try transport.setLoop(loop)
  }

  /// Lets the master start the music and set its position; without one nothing happens.
  @discardableResult
  public func arm() -> CommandReceipt { transport.arm() }

  /// Lets the master no longer start the music; where it plays it plays on until the master stops.
  @discardableResult
  public func disarm() -> CommandReceipt { transport.disarm() }

  /// Puts a master in the place of the music's own time, or with nil that in the place of the
  /// master.
  ///
  /// - Throws: `ClockError.runs` where the music plays.
  @discardableResult
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) -> CommandReceipt {
    try transport.follow(source, input: input)
  }
}

// What was set last, whether or not it has taken effect yet.
extension Playback {
  /// How much faster than written the music runs: 2 is twice as fast.
  public var playRate: Ratio { transport.playRate }

  /// The tempo set by hand; nil where the sequence's holds, and behind a master.
  public var tempo: Tempo? { transport.tempo }

  /// The part that is played over and over; nil for none.
  public var loop: LoopRange? { transport.loop }

  /// What becomes of messages on their way to a destination, by its name.
  ///
  /// - Throws: `PlaybackError.unknownDestination` where there is none of the name.
  public func transform(of destination: String) throws -> MessageTransform {
    let index = try routing.place(of: destination)
    return control.withLock { $0.transforms[index] }
  }

  /// How far keys are moved on their way to the first destination, in semitones.
  public var transposition: Int { control.withLock { $0.transforms.first?.transposition ?? 0 } }

  /// The channels of the first port whose notes are heard: bit n for channel index n.
  public var heardChannels: UInt16 { heardPortChannels[0] }

  /// The channels of each port whose notes are heard.
  public var heardPortChannels: PortChannels {
    control.withLock { $0.filters.first?.struckChannels ?? .all }
  }

  /// The ports of the sequence as it is played.
  public var ports: TrackPorts { control.withLock { $0.score.chase.ports } }
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
    snapshot.position(at: machine.now, moment)
  }

  /// Where the music stands, in ticks and their fractions, exactly as the line says that holds then.
  ///
  /// - Parameter time: when; nil for now. Before the last change all is told as after it.
  /// - Returns: the ticks.
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func ticks(at time: HostTime? = nil) throws(TimeError) -> Ratio {
    try snapshot.ticks(at: time ?? machine.now)
  }

  /// Where the music stands, in a format: the value, whether it is exact, and what it leaves over.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - time: when; nil for now.
  ///   - rounding: how to pick one of two units.
  /// - Returns: the value, and what it leaves over.
  /// - Throws: `TimeError` where a rate is not known, or the value does not fit.
  public func value(
    in format: TimeFormat, at time: HostTime? = nil, rounding: Rounding = .floor
  ) throws(TimeError) -> Converted<TimeValue> {
    try snapshot.value(at: time ?? machine.now, in: format, rounding: rounding)
  }

  /// The next host time at which a tick sounds; nil where the music stands or never comes there, and
  /// before the output runs.
  public func hostTime(of tick: Tick, _ moment: Moment = .audible) -> HostTime? {
    snapshot.time(of: tick, from: machine.now, moment)
  }

  /// Whether the music runs.
  public var isRunning: Bool { snapshot.isRunning }

  /// Whether the music runs once the commands given so far have taken effect.
  public var isToRun: Bool { transport.isToRun }

  /// Where the output's frames stand in host time, by its device's own pace; nil without an output,
  /// and before its first period.
  ///
  /// - Note: any thread.
  public var outputClock: SampleClock? { snapshot.device }

  /// Everything that happens from now on until it ends, each told of when it is heard.
  public var eventStream: AsyncStream<PlaybackEvent> { notifier.observers.stream }

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
