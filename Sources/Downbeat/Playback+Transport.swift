// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

extension Playback {
  /// Starts at the current position, or at the position of the master, at a future host time or as
  /// soon as possible.
  @discardableResult
  public func start(at host: HostTime? = nil) -> CommandReceipt { transport.start(at: host) }

  /// Stops at a future host time or as soon as possible; `start` continues at the same position.
  @discardableResult
  public func stop(at host: HostTime? = nil) -> CommandReceipt { transport.stop(at: host) }

  /// Seeks to a tick, playing or not, at a future host time or as soon as possible.
  ///
  /// - Throws: `ClockError.follows` while a master is followed.
  @discardableResult
  public func locate(
    to tick: Tick, at host: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: tick, at: host)
  }

  /// Seeks to a position, which may be a fraction of a beat, playing or not.
  ///
  /// - Throws: `ClockError.follows` while a master is followed; `ClockError.time` for a position
  ///   that does not fit.
  @discardableResult
  public func locate(to position: TimePosition) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: position)
  }

  /// Seeks to a time in any format: `33|1`, `00:01:00:00`, `1:30`, `50%`, `@marker`.
  ///
  /// - Throws: `TimeError` if the text is not a time in the sequence; `ClockError.follows` while a
  ///   master is followed.
  @discardableResult
  public func locate(to text: String) throws -> CommandReceipt {
    let decoder = TextDecoder(guessingFrom: [sequence])
    let context = try sequence.timeContext { decoder.text($0.bytes) }
    return try locate(to: context.firstTick(of: context.position(of: TimeExpression(text))))
  }

  /// Sets the play rate: 2 is twice as fast as written.
  ///
  /// - Throws: `ClockError.follows` while a master is followed; `ClockError.time` for a rate that
  ///   is not above 0 and at most 32.
  @discardableResult
  public func setPlayRate(_ rate: Ratio) throws(ClockError) -> CommandReceipt {
    try transport.setPlayRate(rate)
  }

  /// Overrides the tempo until playback stops; nil returns to the tempo of the sequence.
  ///
  /// - Throws: `ClockError.follows` while a master is followed; `ClockError.stands` while playback
  ///   is stopped; `ClockError.time` if the play rate does not fit the tempo.
  @discardableResult
  public func setTempo(_ tempo: Tempo?) throws(ClockError) -> CommandReceipt {
    try transport.setTempo(tempo)
  }

  /// Sets the loop; nil plays on to the end.
  ///
  /// - Throws: `ClockError.time` if the loop does not fit.
  @discardableResult
  public func setLoop(_ loop: LoopRange?) throws(ClockError) -> CommandReceipt {
    try transport.setLoop(loop)
  }

  /// Lets the master start the playback and set its position; without a master nothing happens.
  @discardableResult
  public func arm() -> CommandReceipt { transport.arm() }

  /// Ignores the master's next start; a playback that runs continues until the master stops.
  @discardableResult
  public func disarm() -> CommandReceipt { transport.disarm() }

  /// Follows a master in place of the song's own tempo; nil returns to the song's tempo.
  ///
  /// - Throws: `ClockError.runs` while playback runs.
  @discardableResult
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) -> CommandReceipt {
    try transport.follow(source, input: input)
  }
}

// The values that were set last, even if they have not taken effect yet.
extension Playback {
  /// The play rate: 2 is twice as fast as written.
  public var playRate: Ratio { transport.playRate }

  /// The tempo that overrides the sequence; nil for the tempo of the sequence, and while a master
  /// is followed.
  public var tempo: Tempo? { transport.tempo }

  /// The loop; nil for none.
  public var loop: LoopRange? { transport.loop }

  /// The transform of messages to the destination with a name.
  ///
  /// - Throws: `PlaybackError.unknownDestination` if no destination has this name.
  public func transform(of destination: String) throws -> MessageTransform {
    let index = try routing.place(of: destination)
    return control.withLock { $0.transforms[index] }
  }

  /// The transposition of notes to the first destination, in semitones.
  public var transposition: Int { control.withLock { $0.transforms.first?.transposition ?? 0 } }

  /// The channels of the first port whose notes are played: bit n for channel index n.
  public var heardChannels: UInt16 { heardPortChannels[0] }

  /// The channels of each port whose notes are played.
  public var heardPortChannels: PortChannels {
    control.withLock { $0.filters.first?.struckChannels ?? .all }
  }

  /// The ports of the sequence that is played, with all edits.
  public var ports: TrackPorts { control.withLock { $0.score.chase.ports } }
}

extension Playback {
  /// Selects the time at which events are sent, or the time at which they are audible.
  public typealias Moment = TimeBase.Moment

  /// The position, tempo and state of the clock and its master.
  ///
  /// - Note: Any thread; it does not wait for the event thread.
  public var snapshot: ClockSnapshot { transport.snapshot }

  /// The current position.
  public func position(_ moment: Moment = .audible) -> TransportPosition {
    snapshot.position(at: machine.now, moment)
  }

  /// The exact position in ticks and fractions of a tick.
  ///
  /// - Parameter time: The host time; nil for now. A time before the last change is computed as if
  ///   after it.
  /// - Returns: The ticks.
  /// - Throws: `TimeError.overflow` if the fraction does not fit 128 bits.
  public func ticks(at time: HostTime? = nil) throws(TimeError) -> Ratio {
    try snapshot.ticks(at: time ?? machine.now)
  }

  /// The position in a time format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - time: The host time; nil for now.
  ///   - rounding: The rounding to whole units.
  /// - Returns: The value, whether it is exact, and the remainder.
  /// - Throws: `TimeError` if a rate is not known, or the value does not fit.
  public func value(
    in format: TimeFormat, at time: HostTime? = nil, rounding: Rounding = .floor
  ) throws(TimeError) -> Converted<TimeValue> {
    try snapshot.value(at: time ?? machine.now, in: format, rounding: rounding)
  }

  /// The next host time at which a tick sounds; nil if playback is stopped or does not reach the
  /// tick, and before the output runs.
  public func hostTime(of tick: Tick, _ moment: Moment = .audible) -> HostTime? {
    snapshot.time(of: tick, from: machine.now, moment)
  }

  /// True while playback runs.
  public var isRunning: Bool { snapshot.isRunning }

  /// True if playback runs after the commands given so far have taken effect.
  public var isToRun: Bool { transport.isToRun }

  /// The relation of the output's frames to host time, measured from its device; nil without an
  /// output, and before its first period.
  ///
  /// - Note: Any thread.
  public var outputClock: SampleClock? { snapshot.device }

  /// The events from now on until the end, each when it is audible.
  public var eventStream: AsyncStream<PlaybackEvent> { notifier.observers.stream }

  /// Calls a closure for each event when it is audible, on the notifier's thread.
  ///
  /// - Returns: An identifier for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (PlaybackEvent) -> Void) -> Int {
    notifier.observers.add(body)
  }

  /// Calls a closure for each user event when it is audible, with its track, bytes and tick.
  ///
  /// - Returns: An identifier for `forget`.
  @discardableResult
  public func observeUserEvents(_ body: @escaping @Sendable (Int, [UInt8], Tick) -> Void) -> Int {
    observe { event in
      guard case .event(let told, let track?, let tick) = event.kind,
        case .user(let bytes) = told.content
      else { return }
      body(track, bytes, tick)
    }
  }

  /// Removes a closure added with `observe` or `observeUserEvents`.
  public func forget(_ observer: Int) { notifier.observers.remove(observer) }
}
