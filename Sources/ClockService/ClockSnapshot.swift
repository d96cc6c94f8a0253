// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a clock says of itself: where it is, how it runs, and what it knows of its master.
///
/// A value, taken at an instant: it can be asked about any instant since, and answers for what has
/// not been changed meanwhile.
public struct ClockSnapshot: Sendable {
  /// All of it but the maps: what crosses threads.
  public struct State: BitwiseCopyable, Sendable {
    let clock: MusicClock.State
    let followed: Followed?
  }

  /// What is known of a master.
  struct Followed: BitwiseCopyable, Sendable {
    /// The line that holds while it moves.
    let line: Timeline<Tick>?
    let standing: Tick
    let mode: SyncMode
    let isArmed: Bool
    let lock: LockState
    let tempo: FollowedTempo?
    let estimate: TickEstimate?
    let isUncertain: Bool
  }

  /// The clock with its maps and properties; behind a master it stands.
  public let clock: MusicClock
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
    followed = state.followed
  }

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

  /// Where the clock stands at an instant.
  ///
  /// - Complexity: O(log n) in the number of tempo changes.
  public func position(at time: HostTime) -> TransportPosition {
    guard let followed else { return clock.position(at: time) }
    let tick = followed.line.map { Tick($0.firstCount(atOrAfter: time)) } ?? followed.standing
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// Where the clock stands at an instant, in ticks and their fractions, exactly as the line says
  /// that holds then.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(at time: HostTime) throws(TimeError) -> Ratio {
    guard let followed else { return try clock.ticks(at: time) }
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
    let due =
      if let followed {
        try followed.line?.nanoseconds(atPosition: ticks)
      } else {
        try clock.nanoseconds(ofTicks: ticks, from: time)
      }
    guard let due, due >= Ratio(time.nanoseconds) else { return nil }
    return try due.rounded(rounding, unit: "nanoseconds").map(HostTime.init(nanoseconds:))
  }

  /// The next instant, from an instant on, at which a tick sounds; nil where it never does.
  ///
  /// - Complexity: O(log n) in the number of tempo changes.
  public func time(of tick: Tick, from time: HostTime) -> HostTime? {
    guard let followed else { return clock.time(of: tick, from: time) }
    let due = followed.line?.hostTimeRoundedUp(atCount: tick.value)
    return due.flatMap { $0 >= time ? $0 : nil }
  }

  /// Quarter notes a minute that pass at an instant; nil where the clock stands.
  public func beatsPerMinute(at time: HostTime) -> Double? {
    guard isRunning else { return nil }
    guard let followed else {
      return clock.tempo(at: time).beatsPerMinute.approximation * clock.playRate.approximation
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
  public func snapshotState(at position: HostTime) -> ClockSnapshot.State {
    ClockSnapshot.State(
      clock: clock.state,
      followed: master.map {
        ClockSnapshot.Followed(
          line: $0.timeline(at: position), standing: $0.standing, mode: $0.mode,
          isArmed: $0.isArmed, lock: $0.lock, tempo: $0.tempo, estimate: $0.estimate,
          isUncertain: $0.isUncertain)
      })
  }
}
