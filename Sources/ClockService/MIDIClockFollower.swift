// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Follows MIDI clock: tempo, Start, Stop, Continue and song position of another machine.
///
/// Pass every message of the port to the follower in the order of arrival, and call `advance(to:)`
/// regularly, so that silence is detected. The follower returns events, and provides the position
/// as segments of a smooth timeline in MIDI clocks, which `Timeline.ticks(ppqn:)` converts to
/// ticks.
///
/// The tempo is followed even while the song is stopped. The first clock after Start is position 0;
/// the first clock after Continue is the stored position.
///
/// Source: MIDI 1.0 Detailed Specification, System Real Time Messages, Song Position Pointer.
///
/// - Note: Real-time safe: never allocates memory.
public struct MIDIClockFollower: Sendable {
  /// The fastest supported tempo, in quarter notes per minute.
  public static let fastestTempo = 999.0
  /// The slowest supported tempo, in quarter notes per minute.
  ///
  /// Below it, the time between two clocks can exceed the freewheel time.
  public static let slowestTempo = 1.0

  /// Options of a `MIDIClockFollower`.
  public struct Settings: BitwiseCopyable, Sendable {
    /// The time for which motion continues without MIDI clocks; 1 s by default.
    ///
    /// The follower waits for at least the time of four clocks.
    public var freewheel: Duration = .seconds(1)
    /// The tempo of the song, if the master is expected to keep it; nil by default.
    ///
    /// The follower then assumes this tempo, to within 2 %, from the first clock, instead of
    /// waiting to measure it.
    public var expectedTempo: Tempo?
    /// True if a Continue without a preceding Song Position Pointer continues from the last
    /// sixteenth; false by default.
    public var continuesOnSixteenth = false
    /// True if motion continues with the first clock after a silence longer than the freewheel
    /// time; false by default.
    ///
    /// Motion then continues at the position that the song would have reached at the previous
    /// tempo. If false, the song waits for Start or Continue.
    public var resumesAfterGap = false

    /// Creates the default settings.
    public init() {}
  }

  /// The options of the follower.
  ///
  /// You can change them at any time, except for `expectedTempo`, which is only used at creation.
  public var settings: Settings
  /// The state of the song: stopped, armed or running.
  public private(set) var transport = FollowedTransport.stopped
  /// Shows how well the beat and tempo of the master are known.
  public private(set) var lock = LockState.idle
  /// The position at which the next MIDI clock starts the song, while it is stopped or armed.
  public private(set) var resumePosition = MIDIClock(count: 0)

  private var ticks: TickFollower
  private var output = OutputStage<MIDIClock>(farthest: 18)
  private var display = TempoDisplay()
  /// The index of the tick at the song's start, which may be before the first tick.
  private var origin: Int64 = 0
  private var isPositionSet = true
  private var clocksOutside = 0
  /// True if the next clock resumes a song after a gap; and true if one did, and a message with the
  /// position has not arrived since.
  private var resumesWithClock = false
  private var isPlaceGuessed = false

  /// Creates a follower that has not received anything.
  public init(settings: Settings = Settings()) {
    self.settings = settings
    let tempo = settings.expectedTempo ?? .standard
    ticks = TickFollower(
      shortestPeriod: Self.shortestInterval,
      expectedPeriod: Double(tempo.tenNanosecondsPerQuarter) * 10 / 24,
      isTrusted: settings.expectedTempo != nil, followsMotion: true)
  }

  /// Clocks closer together than this are doubles: 1562 BPM, far above the supported range.
  private static let shortestInterval = 1.6e6
  private static let shortestPeriod = 60e9 / (24 * fastestTempo)
  private static let longestPeriod = 60e9 / (24 * slowestTempo)

  // MARK: Reading

  /// The estimate of the times of MIDI clocks; nil until two have been received.
  public var estimate: TickEstimate? { ticks.estimate }

  /// The number of MIDI clocks that were lost on the way, as far as their times show it.
  public var lostClocks: Int { max(0, ticks.lost) }

  /// The number of MIDI clocks that were ignored as duplicates.
  public var doubledClocks: Int { ticks.doubled }

  /// True if the position may be off by whole MIDI clocks.
  ///
  /// This is the case if clocks may have been lost or doubled, until the next few clocks show if
  /// the tempo changed instead, and if motion continued after a gap. A Start, Continue or Song
  /// Position Pointer ends the uncertainty.
  public var isUncertain: Bool { ticks.isUncertain || isPlaceGuessed }

  /// The number of jumps of the position during motion.
  ///
  /// After each jump, the song must move to the new position.
  public var epoch: UInt32 { output.epoch }

  /// The measured tempo, or nil if it is not known yet.
  public var tempo: FollowedTempo? {
    guard let estimate, lock != .idle else { return nil }
    let (tempo, relative) = Self.tempo(estimate)
    return FollowedTempo(
      beatsPerMinute: tempo, deviation: tempo * relative, shownHundredths: display.hundredths)
  }

  /// Quarter notes per minute, and their relative standard deviation.
  @inline(__always)
  private static func tempo(_ estimate: TickEstimate) -> (tempo: Double, relative: Double) {
    (60e9 / (24 * estimate.period), estimate.periodDeviation / estimate.period)
  }

  /// The position of the last MIDI clock.
  public var position: MIDIClock {
    guard transport != .running else { return MIDIClock(count: ticks.state.count - origin) }
    return heldPosition
  }
  private var heldPosition = MIDIClock(count: 0)

  /// Returns the timeline from MIDI clocks to host time that applies at an instant.
  ///
  /// Use its methods `firstCount(atOrAfter:)` or `count(at:rounding:)` to calculate positions.
  ///
  /// - Returns: The timeline; nil while the song is stopped.
  public func timeline(at time: HostTime) -> Timeline<MIDIClock, HostTime>? {
    output.timeline(at: time)
  }

  /// The first segment of a window that begins at an instant.
  func piece(at time: HostTime) -> Timeline<MIDIClock, HostTime>? { output.piece(at: time) }

  /// Calls `body` with each segment of the timeline in a window, in order.
  ///
  /// The segments of a window are final: later clocks change the timeline only after it. Windows
  /// must be in order, and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<MIDIClock, HostTime>) throws -> Void
  ) rethrows {
    try output.forEachPiece(of: window, body)
  }

  /// Returns the instant up to which events may be sent now, just after the next expected MIDI
  /// clock.
  ///
  /// The next clock is the one after the last that was received or, while freewheeling, after the
  /// last that was predicted.
  ///
  /// - Returns: The instant; nil while the song is stopped.
  public func releaseLimit(at now: HostTime) -> HostTime? {
    guard transport == .running, let piece = output.timeline(at: now),
      let (last, period) = output.lastCount(at: now)
    else { return nil }
    let sinceLast = Double(max(0, now.nanoseconds - ticks.lastArrival))
    let predicted = (min(sinceLast, longestSilence) / period).rounded(.down)
    let next = last + Int64(predicted) + 1
    let limit = piece.timeRoundedUp(atCount: next).advanced(saturating: 1)
    // Before that clock is overdue, it is unknown whether the tempo has fallen.
    return output.slowsDown(after: now).map { min(limit, $0) } ?? limit
  }

  // MARK: Taking

  /// Processes a message of the port.
  ///
  /// Messages that do not affect a clock, such as channel messages, are ignored.
  ///
  /// - Returns: The events, including those due to the time that has passed since the last call.
  public mutating func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    switch message.status {
    case 0xF2, 0xF8, 0xFA, 0xFB, 0xFC: pass(to: time, &events)
    default: return events
    }
    switch message.status {
    case 0xF8: takeClock(at: time, &events)
    case 0xFA: takeStart(&events)
    case 0xFB: takeContinue(&events)
    case 0xFC: takeStop(&events)
    default:
      let place = SongPosition(lowByte: message.data1, highByte: message.data2)
      takePosition(place, at: time, &events)
    }
    return events
  }

  /// Advances the follower to an instant without a message.
  ///
  /// While clocks are overdue, they are predicted for the freewheel time; after that, motion stops.
  public mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    pass(to: now, &events)
    return events
  }

  private mutating func pass(to now: HostTime, _ events: inout FollowerEvents) {
    guard lock != .idle else { return }
    let silence = Double(now.nanoseconds - ticks.lastArrival)
    // The second clock of the slowest master arrives later than the freewheel time.
    let least = ticks.isFresh ? TickTuning.longestInterval : 0
    if silence > max(longestSilence, least) {
      lock = .idle
      events.append(.lost)
      resumesWithClock = settings.resumesAfterGap && transport == .running
      stop(resumesWithClock ? .gap : .sourceLost, &events)
    } else if lock == .locked, ticks.isOverdue(at: now) {
      lock = .freewheeling
      events.append(.freewheeling)
    }
  }

  /// The time for which motion continues without clocks, in nanoseconds.
  private var longestSilence: Double {
    max(4 * ticks.state.period, Double(settings.freewheel.nanosecondsRoundedUp))
  }

  private mutating func takeClock(at time: HostTime, _ events: inout FollowerEvents) {
    let age = ticks.change.age
    if resumesWithClock { return resume(at: time, &events) }
    guard transport == .armed else {
      ticks.update(at: time)
      if transport == .running, output.follow(ticks.line(countingFrom: origin), at: time) {
        events.append(.jumped(.clock(position)))
      }
      return judge(isNewTempo: ticks.change.age < age, &events)
    }
    ticks.updateAsDownbeat(at: time)
    isPlaceGuessed = false
    origin = ticks.state.count - resumePosition.count
    move(at: time, &events)
  }

  /// Resumes with the first clock after a gap, at the continued position or at one that was set.
  private mutating func resume(at time: HostTime, _ events: inout FollowerEvents) {
    ticks.update(at: time)
    resumesWithClock = false
    isPlaceGuessed = !isPositionSet
    if isPositionSet { origin = ticks.state.count - resumePosition.count }
    move(at: time, &events)
  }

  private mutating func move(at time: HostTime, _ events: inout FollowerEvents) {
    transport = .running
    output.start(along: ticks.line(countingFrom: origin), at: time)
    events.append(.started(.clock(position), at: time))
    judge(isNewTempo: false, &events)
  }

  /// Updates the state of phase and tempo after a clock.
  private mutating func judge(isNewTempo: Bool, _ events: inout FollowerEvents) {
    // Not `self.estimate`: that call would copy the whole follower.
    guard let estimate = ticks.estimate else {
      if lock == .idle { lock = .acquiring }
      return
    }
    let (tempo, relative) = Self.tempo(estimate)
    if ticks.recent.isPairWarningDue() { events.append(.clocksInPairs) }
    display.update(tempo, deviation: tempo * relative, isNew: isNewTempo)
    let isOutside = !(Self.shortestPeriod...Self.longestPeriod).contains(estimate.period)
    clocksOutside = isOutside ? clocksOutside + 1 : 0
    if clocksOutside >= TickTuning.refusedClocks { return refuseTempo(&events) }
    let phase = max(TickTuning.knownPhase, estimate.jitter)
    let isKnown =
      relative < TickTuning.knownTempo && estimate.phaseDeviation < phase && !isOutside
    let isLost = relative > TickTuning.lostTempo
    switch lock {
    case .locked where !isLost: break
    default:
      let before = lock
      lock = isKnown ? .locked : .acquiring
      if lock == .locked, before != .locked { events.append(.locked) }
    }
  }

  /// Ends following at a tempo outside of the supported range, and restarts the filter.
  private mutating func refuseTempo(_ events: inout FollowerEvents) {
    events.append(.tempoOutOfRange)
    clocksOutside = 0
    lock = .idle
    stop(.tempoOutOfRange, &events)
    ticks.restart()
  }

  private mutating func takeStart(_ events: inout FollowerEvents) {
    stop(.restarted, &events)
    locate(to: MIDIClock(count: 0), &events)
    arm(&events)
  }

  private mutating func takeContinue(_ events: inout FollowerEvents) {
    // A machine that is running continues.
    guard transport != .running else { return }
    if settings.continuesOnSixteenth, !isPositionSet {
      let count = resumePosition.count / 6 * 6
      if count != resumePosition.count { locate(to: MIDIClock(count: count), &events) }
    }
    arm(&events)
  }

  private mutating func takeStop(_ events: inout FollowerEvents) {
    resumesWithClock = false
    guard transport == .armed else { return stop(.stopMessage, &events) }
    transport = .stopped
    events.append(.stopped(.stopMessage, .clock(heldPosition)))
  }

  private mutating func takePosition(
    _ place: SongPosition, at time: HostTime, _ events: inout FollowerEvents
  ) {
    guard transport != .running else { return settle(place, at: time, &events) }
    locate(to: place.midiClock, &events)
  }

  /// Applies a position that arrives during motion to the next clock, if the count is uncertain.
  private mutating func settle(
    _ place: SongPosition, at time: HostTime, _ events: inout FollowerEvents
  ) {
    guard isUncertain, place.midiClock.count > 0 else { return events.append(.ignored(place)) }
    ticks.settleCount()
    isPlaceGuessed = false
    let before = position
    origin = ticks.state.count - (place.midiClock.count - 1)
    guard position != before else { return }
    output.jump(to: ticks.line(countingFrom: origin), at: time)
    events.append(.jumped(.clock(position)))
  }

  private mutating func locate(to position: MIDIClock, _ events: inout FollowerEvents) {
    resumePosition = position
    heldPosition = position
    isPositionSet = true
    events.append(.located(.clock(position)))
  }

  private mutating func arm(_ events: inout FollowerEvents) {
    guard transport == .stopped else { return }
    resumesWithClock = false
    transport = .armed
    events.append(.armed)
  }

  /// Keeps the position of the last clock; the next one is the clock after it.
  private mutating func stop(_ reason: StopReason, _ events: inout FollowerEvents) {
    guard transport == .running else { return }
    heldPosition = position
    resumePosition = MIDIClock(count: heldPosition.count + 1)
    isPositionSet = false
    transport = .stopped
    output.stop()
    events.append(.stopped(reason, .clock(heldPosition)))
  }
}
