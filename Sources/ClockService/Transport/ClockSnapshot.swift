// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a clock says of itself: where it is, how it runs, and what it knows of its master.
///
/// A value, taken at an instant: it can be asked about any instant since, and answers as if nothing
/// had been changed meanwhile.
public struct ClockSnapshot: Sendable {
  /// All of it but the maps: what crosses threads.
  public struct State: BitwiseCopyable, Sendable {
    /// Where the clock's time lies on the host's; nil before the output that it runs by has begun.
    public let base: TimeBase?
    let clock: MusicClock.State
    let followed: Followed?
    let device: SampleClock?
    let pace: DevicePace?
  }

  /// What is known of a master.
  struct Followed: BitwiseCopyable, Sendable {
    /// The line that holds while it moves.
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

  /// The clock with its maps and properties; behind a master it stands.
  public let clock: MusicClock
  /// Where the clock's time lies on the host's; nil before the output that it runs by has begun.
  public let base: TimeBase?
  /// Where the output's frames stand in host time, by its device's own pace; nil without an output,
  /// and before its first period.
  public let device: SampleClock?
  /// The device whose frames set the pace of a transport without an output; nil for the host's clock.
  public let pace: DevicePace?
  private let followed: Followed?

  /// Creates a snapshot from what crossed threads.
  ///
  /// - Parameters:
  ///   - state: What the event thread published.
  ///   - clock: The clock whose maps and properties count; its own motion does not.
  public init(_ state: State, of clock: MusicClock) {
    var clock = clock
    clock.adopt(state.clock)
    self.clock = clock
    base = state.base
    followed = state.followed
    device = state.device
    pace = state.pace
  }

  /// How often another tempo map was put in place.
  public var edition: UInt32 { clock.edition }

  /// What is followed.
  public var mode: SyncMode { followed?.mode ?? .alone }

  /// Whether the master may start the clock; false where there is none.
  public var isArmed: Bool { followed?.isArmed ?? false }

  /// Whether the clock runs, or will once its start has come.
  public var isRunning: Bool { followed.map { $0.line != nil } ?? clock.isRunning }

  /// Whether phase and tempo of the master are known; nil where there is none.
  public var lock: LockState? { followed?.lock }

  /// The tempo of a MIDI clock as measured, and how sure; nil where none is known.
  public var measuredTempo: FollowedTempo? { followed?.tempo }

  /// What is believed of the master's clocks or quarter frames: jitter, phase error, period, and
  /// how sure; nil where there are none.
  public var estimate: TickEstimate? { followed?.estimate }

  /// Whether the position may be off by whole MIDI clocks: some seem lost or doubled, and the next
  /// few tell; or it went on after a gap, and no start or song position has settled it since.
  public var isUncertain: Bool { followed?.isUncertain ?? false }

  /// How often the maps of a clock of another process may have changed; 0 for another master.
  public var servedEdition: UInt32 { followed?.servedEdition ?? 0 }

  /// The clock's own time at an instant; before the output runs all lies ahead.
  private func time(at host: HostTime, _ moment: TimeBase.Moment = .audible) -> ReferenceTime {
    base?.time(at: host, moment) ?? ReferenceTime(nanoseconds: .min)
  }

  /// Where the clock stands at an instant, as it is heard or as it is sent.
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

  /// Where the clock stands at an instant, in ticks and their fractions, exactly as the line says
  /// that holds then.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(at time: HostTime) throws(TimeError) -> Ratio {
    guard let followed else { return try clock.ticks(at: self.time(at: time)) }
    return try followed.line?.exactCount(at: time) ?? Ratio(followed.standing.value)
  }

  /// Where the clock stands at an instant, in a format.
  ///
  /// Nothing is rounded before the answer: at 120 beats per minute, 100 500 ns after a start at
  /// tick 0 the value is 0.000 100 5 s, and 0.000 201 quarter notes.
  ///
  /// - Parameters:
  ///   - time: The instant.
  ///   - format: The format.
  ///   - rounding: How to pick one of two units.
  /// - Returns: The value, and what it leaves over.
  /// - Throws: `TimeError` where a rate is not known, or the value does not fit.
  public func value(
    at time: HostTime, in format: TimeFormat, rounding: Rounding
  ) throws(TimeError) -> Converted<TimeValue> {
    if format == .hostTime { return Converted(exactly: .count(time.nanoseconds)) }
    return try clock.timeContext.value(
      of: .ticks(ticks(at: time)), in: format, rounding: rounding)
  }

  /// The next instant, from an instant on, at which a position sounds: a fraction of a beat, a
  /// label, a sample; nil where it never does.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: The earliest answer.
  ///   - rounding: How to pick one of two nanoseconds.
  /// - Returns: The instant, and the nanoseconds that it leaves over.
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.overflow`.
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

  /// The next instant, from an instant on, at which a tick sounds, or is sent; nil where it never
  /// does, and before the output runs.
  ///
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

  /// How the music's own time lies on the host's at an instant, by the line that holds then; nil
  /// where the clock stands.
  ///
  /// - Throws: `TimeError.overflow` where fractions do not fit 128 bits.
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

  /// Quarter notes a minute that pass at an instant; nil where the clock stands.
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

  /// How fast the music passes beside what is written, at an instant: what was set, or behind a
  /// master what is measured; nil where the clock stands.
  public func playRate(at time: HostTime) -> Double? {
    guard let tempo = beatsPerMinute(at: time) else { return nil }
    guard followed != nil else { return clock.playRate.approximation }
    return tempo / clock.tempoMap.tempo(at: position(at: time).tick).beatsPerMinute.approximation
  }
}

extension EventLane {
  /// What the lane's clock says of itself, as of a position.
  public func snapshotState(at position: ReferenceTime) -> ClockSnapshot.State {
    ClockSnapshot.State(
      base: reference.base, clock: clock.state, followed: driver.followed(at: position),
      device: reference.clock, pace: reference.pace)
  }
}
