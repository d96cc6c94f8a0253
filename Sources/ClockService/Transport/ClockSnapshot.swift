// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The position and motion of a clock and its master at an instant.
///
/// A snapshot is a value that does not change. The snapshot can calculate positions at later
/// instants, assuming that the clock is not changed in the meantime.
public struct ClockSnapshot: Sendable {
  /// The state without the maps, for transfer between threads.
  public struct State: BitwiseCopyable, Sendable {
    /// The relation of the clock's reference time to host time; nil before its output has started.
    public let base: TimeBase?
    let clock: MusicClock.State
    let followed: Followed?
    let device: SampleClock?
    let pace: DevicePace?
  }

  /// The state of a master.
  struct Followed: BitwiseCopyable, Sendable {
    /// The line while it runs.
    let line: Timeline<Tick, HostTime>?
    let standing: Tick
    let mode: SyncMode
    let isArmed: Bool
    let lock: LockState
    let tempo: FollowedTempo?
    let estimate: TickEstimate?
    let isUncertain: Bool
    let servedEdition: UInt32
  }

  /// The clock, with its maps and properties.
  ///
  /// If there is a master, its motion is not used: it is always stopped.
  public let clock: MusicClock
  /// The relation of the clock's reference time to host time; nil before its output has started.
  public let base: TimeBase?
  /// The relation of the output's frames to host time, as measured on its device; nil without an
  /// output, and before its first period.
  public let device: SampleClock?
  /// The sound device whose speed a transport without an output follows; nil if it follows host
  /// time.
  public let pace: DevicePace?
  private let followed: Followed?

  /// Creates a snapshot from a published state.
  ///
  /// - Parameters:
  ///   - state: The state from the event thread.
  ///   - clock: A clock from which the maps and properties are taken; the motion is taken from
  ///     `state`.
  public init(_ state: State, of clock: MusicClock) {
    var clock = clock
    clock.adopt(state.clock)
    self.clock = clock
    base = state.base
    followed = state.followed
    device = state.device
    pace = state.pace
  }

  /// The number of changes of the tempo map.
  public var edition: UInt32 { clock.edition }

  /// The kind of master that the clock follows; `alone` without a master.
  public var mode: SyncMode { followed?.mode ?? .alone }

  /// True if the master may start the clock; false without a master.
  public var isArmed: Bool { followed?.isArmed ?? false }

  /// True while the clock runs, or is about to start.
  public var isRunning: Bool { followed.map { $0.line != nil } ?? clock.isRunning }

  /// Shows how well the beat and tempo of the master are known; nil without a master.
  public var lock: LockState? { followed?.lock }

  /// The measured tempo of the master, with its uncertainty; nil if it is unknown.
  public var measuredTempo: FollowedTempo? { followed?.tempo }

  /// The estimate of the times of the master's MIDI clocks or quarter frames: jitter, phase error,
  /// period and uncertainty; nil if the master does not send any.
  public var estimate: TickEstimate? { followed?.estimate }

  /// True if the position may be off by whole MIDI clocks.
  ///
  /// This is the case if clocks may have been lost or doubled, which the next few clocks show, or
  /// if the clock continued after a gap and has not received a start or song position since.
  public var isUncertain: Bool { followed?.isUncertain ?? false }

  /// The number of times that the maps of a served clock may have changed; 0 for other masters.
  public var servedEdition: UInt32 { followed?.servedEdition ?? 0 }

  /// The clock's reference time at an instant; before the output runs it is the smallest one.
  private func time(at host: HostTime, _ moment: TimeBase.Moment = .audible) -> ReferenceTime {
    base?.time(at: host, moment) ?? ReferenceTime(nanoseconds: .min)
  }

  /// Returns the position that is audible at an instant or, if `scheduled` is true, the position of
  /// the events that are sent at that instant.
  ///
  /// - Complexity: O(log n) in the number of tempo changes.
  public func position(
    at host: HostTime, _ moment: TimeBase.Moment = .audible
  ) -> TransportPosition {
    let time = time(at: host, moment)
    guard let followed else { return clock.position(at: time) }
    let heard = base?.hostTime(of: time) ?? host
    let tick = followed.line.map { Tick($0.firstCount(atOrAfter: heard)) } ?? followed.standing
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// Returns the exact position at an instant, in ticks with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(at time: HostTime) throws(TimeError) -> Ratio {
    guard let followed else { return try clock.ticks(at: self.time(at: time)) }
    return try followed.line?.exactCount(at: time) ?? Ratio(followed.standing.value)
  }

  /// Returns the position at an instant in a format such as seconds, bars or samples.
  ///
  /// The exact position is calculated, and only the result is rounded. For example, at 120 beats
  /// per minute, 100 500 ns after a start at tick 0, the value is 0.000 100 5 s or 0.000 201
  /// quarter notes.
  ///
  /// - Parameters:
  ///   - time: The instant.
  ///   - format: The format of the result.
  ///   - rounding: The rounding to a whole unit.
  /// - Returns: The value, with the residue.
  /// - Throws: `TimeError` if a rate is unknown, or the value does not fit.
  public func value(
    at time: HostTime, in format: TimeFormat, rounding: Rounding
  ) throws(TimeError) -> Converted<TimeValue> {
    if format == .hostTime { return Converted(exactly: .count(time.nanoseconds)) }
    return try clock.timeContext.value(
      of: .ticks(ticks(at: time)), in: format, rounding: rounding)
  }

  /// Returns the next instant at which a position sounds, such as a fraction of a beat, a time code
  /// or a sample.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: The earliest result.
  ///   - rounding: The rounding to a nanosecond.
  /// - Returns: The instant, with the residue in nanoseconds; nil if the position does not sound
  ///   any more.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the instant is between
  ///   nanoseconds; `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func time(
    of position: TimePosition, from time: HostTime, rounding: Rounding
  ) throws(TimeError) -> Converted<HostTime>? {
    let ticks = try clock.timeContext.ticks(of: position)
    guard let followed else {
      guard let base else { return nil }
      return try clock.nanoseconds(ofTicks: ticks, from: base.time(at: time))?
        .rounded(rounding, unit: "nanoseconds")
        .map { base.hostTime(of: ReferenceTime(nanoseconds: $0)) }
    }
    guard let due = try followed.line?.nanoseconds(atPosition: ticks),
      due >= Ratio(time.nanoseconds)
    else { return nil }
    return try due.rounded(rounding, unit: "nanoseconds").map(HostTime.init(nanoseconds:))
  }

  /// Returns the next instant at which a tick sounds or, if `scheduled` is true, is sent.
  ///
  /// - Returns: The instant; nil if the tick does not sound any more, and before the output runs.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func time(
    of tick: Tick, from time: HostTime, _ moment: TimeBase.Moment = .audible
  ) -> HostTime? {
    guard let followed else {
      guard let base else { return nil }
      return clock.time(of: tick, from: base.time(at: time, moment))
        .map { base.hostTime(of: $0, moment) }
    }
    let due = followed.line?.timeRoundedUp(atCount: tick.value)
    return due.flatMap { $0 >= time ? $0 : nil }
  }

  /// Returns the relation of media time to host time that applies at an instant; nil while the
  /// clock is stopped.
  ///
  /// - Throws: `TimeError.overflow` if fractions do not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func anchor(at time: HostTime) throws(TimeError) -> HostAnchor? {
    guard let line = followed == nil ? clockLine(at: time) : followed?.line else { return nil }
    return try HostAnchor(
      line, in: clock.tempoMap, at: Tick(line.firstCount(atOrAfter: time)))
  }

  private func clockLine(at time: HostTime) -> Timeline<Tick, HostTime>? {
    guard let base else { return nil }
    return clock.line(at: base.time(at: time)).map { base.hostLine(of: $0) }
  }

  /// Returns the tempo at an instant in quarter notes per minute; nil while the clock is stopped.
  public func beatsPerMinute(at time: HostTime) -> Double? {
    guard isRunning else { return nil }
    guard let followed else {
      let tick = clock.position(at: self.time(at: time)).tick
      return 60e9 / clock.nanosecondsPerQuarter(at: tick).approximation
    }
    guard let line = followed.line, case .ppqn(let resolution) = clock.tempoMap.division else {
      return nil
    }
    return 60e9 / (line.slope * Double(resolution.ticks))
  }

  /// Returns the speed relative to the written tempo at an instant; nil while the clock is stopped.
  ///
  /// Without a master, this is the play rate; with a master, it is measured.
  public func playRate(at time: HostTime) -> Double? {
    guard let tempo = beatsPerMinute(at: time) else { return nil }
    guard followed != nil else { return clock.playRate.approximation }
    return tempo / clock.tempoMap.tempo(at: position(at: time).tick).beatsPerMinute.approximation
  }
}

extension EventLane {
  /// Returns the state of the lane's clock at a position.
  public func snapshotState(at position: ReferenceTime) -> ClockSnapshot.State {
    ClockSnapshot.State(
      base: reference.base, clock: clock.state, followed: driver.followed(at: position),
      device: reference.clock, pace: reference.pace)
  }
}
