// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
internal import Synchronization

extension Playback {
  /// Starts playback at a host time, or as soon as possible.
  ///
  /// Playback starts at the current position, or at the position of the master if one is followed.
  @discardableResult
  public func start(at host: HostTime? = nil) -> CommandReceipt { transport.start(at: host) }

  /// Stops playback at a host time, or as soon as possible.
  ///
  /// `start` continues at the same position.
  @discardableResult
  public func stop(at host: HostTime? = nil) -> CommandReceipt { transport.stop(at: host) }

  /// Moves to a tick at a host time, or as soon as possible, during playback or while stopped.
  ///
  /// - Throws: `ClockError.follows` while a master is followed.
  @discardableResult
  public func locate(
    to tick: Tick, at host: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: tick, at: host)
  }

  /// Moves to a position, which can be a fraction of a beat, during playback or while stopped.
  ///
  /// - Throws: `ClockError.follows` while a master is followed; `ClockError.time` if the position
  ///   is out of range.
  @discardableResult
  public func locate(to position: TimePosition) throws(ClockError) -> CommandReceipt {
    try transport.locate(to: position)
  }

  /// Moves to a position that is given as text, such as `33|1`, `00:01:00:00`, `1:30`, `50%` or
  /// `@marker`.
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
  ///   is 0 or less, or above 32.
  @discardableResult
  public func setPlayRate(_ rate: Ratio) throws(ClockError) -> CommandReceipt {
    try transport.setPlayRate(rate)
  }

  /// Sets a constant tempo that replaces the tempo of the sequence until playback stops; nil
  /// returns to the tempo of the sequence.
  ///
  /// - Throws: `ClockError.follows` while a master is followed; `ClockError.stands` while playback
  ///   is stopped; `ClockError.time` if the play rate is not valid with the tempo.
  @discardableResult
  public func setTempo(_ tempo: Tempo?) throws(ClockError) -> CommandReceipt {
    try transport.setTempo(tempo)
  }

  /// Sets the range that is repeated; nil ends the loop, so that playback continues to the end.
  ///
  /// - Throws: `ClockError.time` if the loop is not valid.
  @discardableResult
  public func setLoop(_ loop: LoopRange?) throws(ClockError) -> CommandReceipt {
    try transport.setLoop(loop)
  }

  /// Lets the master start playback and set its position.
  ///
  /// Without a master the call does not have an effect.
  @discardableResult
  public func arm() -> CommandReceipt { transport.arm() }

  /// Makes playback ignore the next start of the master.
  ///
  /// Playback that is running continues until the master stops.
  @discardableResult
  public func disarm() -> CommandReceipt { transport.disarm() }

  /// Follows the tempo and position of a master; nil returns to the tempo of the song.
  ///
  /// - Throws: `ClockError.runs` while playback is running.
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

  /// The tempo set by `setTempo`; nil if the tempo of the sequence is used or a master is followed.
  public var tempo: Tempo? { transport.tempo }

  /// The range that is repeated; nil if playback does not loop.
  public var loop: LoopRange? { transport.loop }

  /// Returns the transform that is applied to all messages to a destination.
  ///
  /// - Throws: `PlaybackError.unknownDestination` if no destination has this name.
  public func transform(of destination: String) throws -> MessageTransform {
    let index = try routing.place(of: destination)
    return control.withLock { $0.transforms[index] }
  }

  /// The transposition of notes to the first destination, in semitones.
  public var transposition: Int { control.withLock { $0.transforms.first?.transposition ?? 0 } }

  /// The channels of the first port whose notes are played, as a bit mask: bit n is channel index
  /// n.
  public var heardChannels: UInt16 { heardPortChannels[0] }

  /// The channels of each port whose notes are played.
  public var heardPortChannels: PortChannels {
    control.withLock { $0.filters.first?.struckChannels ?? .all }
  }

  /// The ports of the song that its tracks use, with all edits.
  public var ports: TrackPorts { control.withLock { $0.score.chase.ports } }
}

extension Playback {
  /// Selects between the time at which events are sent and the time at which they are audible.
  public typealias Moment = TimeBase.Moment

  /// The position, tempo and state of the clock and its master.
  ///
  /// - Note: Any thread; it does not wait for the event thread.
  public var snapshot: ClockSnapshot { transport.snapshot }

  /// Returns the current position: by default, the one that is audible now.
  public func position(_ moment: Moment = .audible) -> TransportPosition {
    snapshot.position(at: machine.now, moment)
  }

  /// Returns the exact position, in ticks and fractions of a tick.
  ///
  /// - Parameter time: The host time; nil for now. A time before the last change of tempo or
  ///   position is treated as if it were after the change.
  /// - Returns: The position in ticks.
  /// - Throws: `TimeError.overflow` if the fraction does not fit 128 bits.
  public func ticks(at time: HostTime? = nil) throws(TimeError) -> Ratio {
    try snapshot.ticks(at: time ?? machine.now)
  }

  /// Returns the position in a time format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - time: The host time; nil for now.
  ///   - rounding: The rounding to whole units of the format.
  /// - Returns: The value, with its exactness and remainder.
  /// - Throws: `TimeError` if the format needs a rate that is not known, or the value is out of
  ///   range.
  public func value(
    in format: TimeFormat, at time: HostTime? = nil, rounding: Rounding = .floor
  ) throws(TimeError) -> Converted<TimeValue> {
    try snapshot.value(at: time ?? machine.now, in: format, rounding: rounding)
  }

  /// Returns the next host time at which a tick is played.
  ///
  /// Nil if playback is stopped, does not reach the tick, or the output does not run yet.
  public func hostTime(of tick: Tick, _ moment: Moment = .audible) -> HostTime? {
    snapshot.time(of: tick, from: machine.now, moment)
  }

  /// True if playback is running.
  public var isRunning: Bool { snapshot.isRunning }

  /// True if playback will be running when all commands that were already given have taken effect.
  public var isToRun: Bool { transport.isToRun }

  /// The measured relation between the output's frames and host time; nil without an output, or
  /// before the first period of the device.
  ///
  /// - Note: Any thread.
  public var outputClock: SampleClock? { snapshot.device }

  /// A new stream of the events from now on, each delivered when it is audible.
  ///
  /// The stream ends with the playback.
  public var eventStream: AsyncStream<PlaybackEvent> { notifier.observers.stream }

  /// Adds a closure that is called for each event when the event is audible, on a separate thread.
  ///
  /// - Returns: A token for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (PlaybackEvent) -> Void) -> Int {
    notifier.observers.add(body)
  }

  /// Adds a closure that is called for each user event when the event is audible, with its track,
  /// bytes and tick.
  ///
  /// - Returns: A token for `forget`.
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
