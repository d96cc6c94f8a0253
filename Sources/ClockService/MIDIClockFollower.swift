// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Follows MIDI beat clock: tempo, start, stop, continue and song position of another machine.
///
/// Feed it every message of the port in the order of arrival, and the time now and then
/// (`advance(to:)`), which is how it notices silence. It tells what happened as events and gives
/// the position as pieces of a smooth timeline in MIDI clocks (`Timeline.ticks(ppqn:)` makes
/// ticks of them).
///
/// The tempo is followed whether or not the song moves. The first clock after Start is position
/// 0; the first after Continue is the stored position.
///
/// Source: MIDI 1.0 Detailed Specification, System Real Time Messages, Song Position Pointer.
///
/// - Note: Real-time safe: a value that holds all its state and never allocates.
public struct MIDIClockFollower: Sendable {
  /// The fastest tempo that is followed, in quarter notes per minute.
  public static let fastestTempo = 999.0
  /// The slowest, below which the freewheel time cannot hold a clock.
  public static let slowestTempo = 1.0

  /// What can be chosen.
  public struct Settings: BitwiseCopyable, Sendable {
    /// How long motion goes on without a clock, at least the time of four; 1 s by default.
    public var freewheel: Duration = .seconds(1)
    /// The tempo of the song, where the master is likely to keep it; from the first clock on it
    /// is trusted to 2 %.
    public var expectedTempo: Tempo?
    /// Whether a Continue without a Song Position Pointer goes back to the sixteenth before; false
    /// by default.
    public var continuesOnSixteenth = false
    /// Whether motion goes on with the first clock after the freewheel time has passed without one;
    /// false by default.
    ///
    /// It goes on where the song would be by then at the tempo before; otherwise it waits for Start
    /// or Continue.
    public var resumesAfterGap = false

    /// Creates the usual settings.
    public init() {}
  }

  /// The settings; of a change the freewheel time and the policy of Continue take effect.
  public var settings: Settings
  /// Whether the song moves.
  public private(set) var transport = FollowedTransport.stopped
  /// Whether phase and tempo are known.
  public private(set) var lock = LockState.idle
  /// The position that the next clock has while stopped or armed.
  public private(set) var resumePosition = MIDIClock(count: 0)

  private var ticks: TickFollower
  private var output = OutputStage<MIDIClock>(farthest: 18)
  private var display = TempoDisplay()
  /// The index of the tick at which the song would have been at its origin.
  private var origin: Int64 = 0
  private var isPositionSet = true
  private var clocksOutside = 0
  /// Whether the next clock moves a song that a gap has stopped, and whether one has since a place
  /// was named.
  private var resumesWithClock = false
  private var isPlaceGuessed = false

  /// Creates a follower that has heard nothing.
  public init(settings: Settings = Settings()) {
    self.settings = settings
    let tempo = settings.expectedTempo ?? .standard
    ticks = TickFollower(
      shortestPeriod: Self.shortestInterval,
      expectedPeriod: Double(tempo.tenNanosecondsPerQuarter) * 10 / 24,
      isTrusted: settings.expectedTempo != nil, followsMotion: true)
  }

  /// Clocks closer together than this are doubles: 1562 BPM, well past what is followed.
  private static let shortestInterval = 1.6e6
  private static let shortestPeriod = 60e9 / (24 * fastestTempo)
  private static let longestPeriod = 60e9 / (24 * slowestTempo)

  // MARK: Reading

  /// What is believed of the clocks; nil before two of them.
  public var estimate: TickEstimate? { ticks.estimate }

  /// Clocks taken to be lost on the way, so far.
  public var lostClocks: Int { max(0, ticks.lost) }

  /// Clocks taken to be doubles, so far.
  public var doubledClocks: Int { ticks.doubled }

  /// Whether the position may be off by whole clocks.
  ///
  /// Some seem lost or doubled, and the next few tell whether the tempo changed instead; or motion
  /// went on after a gap. A Start settles it, and so do a Continue and a Song Position Pointer.
  public var isUncertain: Bool { ticks.isUncertain || isPlaceGuessed }

  /// How many times the position jumped while moving; what is played locates when it changes.
  public var epoch: UInt32 { output.epoch }

  /// The tempo; nil before there is one.
  public var tempo: FollowedTempo? {
    guard let estimate, lock != .idle else { return nil }
    let (tempo, relative) = Self.tempo(estimate)
    return FollowedTempo(
      beatsPerMinute: tempo, deviation: tempo * relative, shownHundredths: display.hundredths)
  }

  /// Quarter notes a minute, and their standard deviation as a part of them.
  @inline(__always)
  private static func tempo(_ estimate: TickEstimate) -> (tempo: Double, relative: Double) {
    (60e9 / (24 * estimate.period), estimate.periodDeviation / estimate.period)
  }

  /// The last clock that was reached: the one under way while running, the one held when stopped.
  public var position: MIDIClock {
    guard transport != .running else { return MIDIClock(count: ticks.state.count - origin) }
    return heldPosition
  }
  private var heldPosition = MIDIClock(count: 0)

  /// The published piece that holds at an instant; nil while the song stands.
  ///
  /// Source for positions at any time: `firstCount(atOrAfter:)`, `count(at:rounding:)`.
  public func timeline(at time: HostTime) -> Timeline<MIDIClock, HostTime>? {
    output.timeline(at: time)
  }

  /// The piece with which a window from an instant on begins.
  func piece(at time: HostTime) -> Timeline<MIDIClock, HostTime>? { output.piece(at: time) }

  /// Calls `body` with each published piece of a window, in order.
  ///
  /// What a window covered is handed out: later clocks bend the timeline only after it. Windows
  /// are asked for in order and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<MIDIClock, HostTime>) throws -> Void
  ) rethrows {
    try output.forEachPiece(of: window, body)
  }

  /// The instant up to which events may be sent out, as seen from now: just past one clock after
  /// the last.
  ///
  /// The last clock is the last that arrived, or where one is overdue the last predicted, as long
  /// as freewheeling lasts. While the song stands nothing is released: nil.
  public func releaseLimit(at now: HostTime) -> HostTime? {
    guard transport == .running, let piece = output.timeline(at: now),
      let (last, period) = output.lastCount(at: now)
    else { return nil }
    let sinceLast = Double(max(0, now.nanoseconds - ticks.lastArrival))
    let predicted = (min(sinceLast, longestSilence) / period).rounded(.down)
    let next = last + Int64(predicted) + 1
    let limit = piece.timeRoundedUp(atCount: next).advanced(saturating: 1)
    // Whether the tempo fell is not known before that clock is overdue.
    return output.slowsDown(after: now).map { min(limit, $0) } ?? limit
  }

  // MARK: Taking

  /// Takes a message of the port.
  ///
  /// Messages that are no business of a clock are ignored: channel messages, active sensing,
  /// reset.
  ///
  /// - Returns: What it means, after what the time that passed means.
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

  /// Lets time pass: overdue clocks are predicted for the freewheel time, and then motion stops.
  public mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    pass(to: now, &events)
    return events
  }

  private mutating func pass(to now: HostTime, _ events: inout FollowerEvents) {
    guard lock != .idle else { return }
    let silence = Double(now.nanoseconds - ticks.lastArrival)
    // The slowest master's second clock comes after more than the freewheel time.
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

  /// How long motion goes on without a clock, in nanoseconds.
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

  /// The first clock after a gap: the song is where it would be, or where it was told to be.
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

  /// Whether phase and tempo are known, after a clock.
  private mutating func judge(isNewTempo: Bool, _ events: inout FollowerEvents) {
    // Not `self.estimate`: called, it would be given a copy of the whole follower.
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

  /// A tempo outside the range is followed no more; the filter begins anew.
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
    // A machine that moves already goes on.
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

  /// A position while moving names the next clock, where the count is in doubt.
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

  /// Holds the last clock that was reached; the next one to come is the one after it.
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
